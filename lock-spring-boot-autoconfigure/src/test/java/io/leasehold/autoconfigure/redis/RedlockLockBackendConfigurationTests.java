package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Lockers on a quorum of real servers, each with a password of its own. */
class RedlockLockBackendConfigurationTests {

    private static List<RedisServer> servers = List.of();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues(
                    "lock.lockers.deploy.backend=redlock",
                    "lock.lockers.deploy.ttl=10s",
                    "lock.lockers.deploy.command-timeout=1s",
                    "lock.redlock.node-timeout=500ms");

    @BeforeAll
    static void start() {
        servers = Stream.of("one", "two", "three")
                .map(password -> RedisServer.startDurable("requirepass " + password))
                .toList();
    }

    @AfterAll
    static void stop() {
        servers.forEach(RedisServer::close);
    }

    @Test
    void aLockerLocksOnAQuorum() {
        runner.withPropertyValues(nodes(servers)).run(context -> {
            assertThat(context.getBean(LockerRegistry.class).status("deploy").backend())
                    .isEqualTo("redlock");
            Locker deploy = context.getBean("deployLocker", Locker.class);
            try (LockHandle handle = deploy.lock("service-a")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(servers.stream().filter(server -> isLocked(server, "deploy:service-a")))
                        .hasSizeGreaterThanOrEqualTo(2);
                assertThat(deploy.tryLock("service-a")).isEmpty();
            }
        });
    }

    @Test
    void theServersHaveToBeListed() {
        FailureAnalysis analysis = StartFailures.of(runner);

        assertThat(analysis.getDescription()).contains("'redlock'");
        assertThat(analysis.getAction()).contains("list the independent Redis servers in 'lock.redlock.nodes'");
    }

    @Test
    void aLockerWithALongerTtlThanTheServersAreConfiguredForIsRefusedAtOnce() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(nodes(servers)).withPropertyValues("lock.lockers.deploy.ttl=2m"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.redlock.max-ttl' must be at least 2m, the ttl of locker 'deploy': 1m");
    }

    @Test
    void aLockerWithALongerMinimumHoldTimeThanTheServersAreConfiguredForIsRefusedAtOnce() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(nodes(servers)).withPropertyValues("lock.lockers.deploy.min-hold-time=5m"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.redlock.max-ttl' must be at least 5m, the min-hold-time of locker 'deploy': 1m");
        assertThat(analysis.getAction()).contains("lower the min-hold-time");
    }

    /** The lock stays taken for as long as the nodes permit, which is longer than its ttl. */
    @Test
    void aLongerMinimumHoldTimeOfARequestIsShortened() {
        runner.withPropertyValues(nodes(servers)).run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            LockRequest request = LockRequest.of("held").withMinHoldTime(Duration.ofMinutes(5));
            assertThat(deploy.lock(request).release()).isTrue();
            assertThat(servers.stream().map(server -> (Long) server.command("PTTL", "deploy:held")))
                    .filteredOn(remaining -> remaining > 30_000 && remaining <= 60_000)
                    .hasSizeGreaterThanOrEqualTo(2);
        });
    }

    @Test
    void anEvenNumberOfServersIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(nodes(servers.subList(0, 2))));

        assertThat(analysis.getDescription()).startsWith("'lock.redlock.nodes' must be an odd number of at least 3");
    }

    @Test
    void theSameServerTwiceIsRefused() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(nodes(List.of(servers.get(0), servers.get(1), servers.get(0)))));

        assertThat(analysis.getDescription()).contains("is there twice");
    }

    @Test
    void aServerWithoutHostIsRefused() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(nodes(servers)).withPropertyValues("lock.redlock.nodes[1].host="));

        assertThat(analysis.getDescription()).startsWith("'lock.redlock.nodes[1].host' must be set");
    }

    @Test
    void anUnknownBundleIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(nodes(servers))
                .withPropertyValues("lock.redlock.nodes[2].ssl.bundle=missing"));

        assertThat(analysis.getDescription()).contains("lock.redlock.nodes[2].ssl.bundle");
    }

    @Test
    void withoutLettuceThereIsNoRedlock() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(nodes(servers)).withClassLoader(new FilteredClassLoader("io.lettuce")));

        assertThat(analysis.getDescription()).contains("'redlock'");
    }

    private static boolean isLocked(RedisServer server, String key) {
        return Long.valueOf(1).equals(server.command("EXISTS", key));
    }

    private static String[] nodes(List<RedisServer> listed) {
        List<String> properties = new ArrayList<>();
        List<String> passwords = List.of("one", "two", "three");
        for (int i = 0; i < listed.size(); i++) {
            String node = "lock.redlock.nodes[" + i + "].";
            properties.add(node + "host=" + listed.get(i).host());
            properties.add(node + "port=" + listed.get(i).port());
            properties.add(node + "password=" + passwords.get(servers.indexOf(listed.get(i))));
            properties.add(node + "persists-every-write=true");
        }
        return properties.toArray(String[]::new);
    }
}
