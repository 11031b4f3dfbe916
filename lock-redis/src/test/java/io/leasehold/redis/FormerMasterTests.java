package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockListing;
import io.leasehold.LockRequest;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultProxy;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A master and its replica change roles, and the connections to the former master stay open: by hand, or when a server
 * comes back as a replica. A name service knows the address of the master.
 */
class FormerMasterTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(3)).withCommandTimeout(Duration.ofMillis(900));

    private static final LockerSettings OTHER = LockerSettings.of("other")
            .withNamespace("deploy")
            .withTtl(Duration.ofSeconds(3))
            .withCommandTimeout(Duration.ofMillis(900));

    private static final Duration SOON = Duration.ofSeconds(40);

    private final RedisServer one = RedisServer.start("repl-diskless-sync-delay 0");

    private final RedisServer other =
            RedisServer.start("repl-diskless-sync-delay 0", "replicaof 127.0.0.1 " + one.port());

    private final FaultProxy address = new FaultProxy(one.port());

    private volatile int masterPort = one.port();

    private final ClientResources resources = ClientResources.builder()
            .socketAddressResolver(MappingSocketAddressResolver.create(
                    DnsResolvers.UNRESOLVED, name -> HostAndPort.of("127.0.0.1", masterPort)))
            .build();

    private final LettuceConnectionFactory factory = new LettuceConnectionFactory(
            new RedisStandaloneConfiguration("127.0.0.1", one.port()),
            LettuceClientConfiguration.builder().clientResources(resources).build());

    @AfterEach
    void close() {
        factory.destroy();
        resources.shutdown();
        address.close();
        other.close();
        one.close();
    }

    @ParameterizedTest
    @CsvSource({"0, PT0S", "1, PT0S", "1, PT3S"})
    void locksAreAcquiredAtTheNewMaster(int minReplicas, Duration gracePeriod) {
        factory.afterPropertiesSet();
        factory.start();
        assertThatLocksAreAcquiredAtTheNewMaster(factory, minReplicas, gracePeriod);
    }

    /** An address that leads new connections to the master, as a load balancer does. */
    @ParameterizedTest
    @CsvSource({"0, PT0S", "1, PT0S", "1, PT3S"})
    void locksAreAcquiredAtTheNewMasterOverJedis(int minReplicas, Duration gracePeriod) {
        JedisConnectionFactory jedis =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", address.port()));
        jedis.afterPropertiesSet();
        jedis.start();
        try {
            assertThatLocksAreAcquiredAtTheNewMaster(jedis, minReplicas, gracePeriod);
        } finally {
            jedis.destroy();
        }
    }

    private void assertThatLocksAreAcquiredAtTheNewMaster(
            RedisConnectionFactory client, int minReplicas, Duration gracePeriod) {
        RedisLockOptions options = RedisLockOptions.defaults()
                .withMinReplicas(minReplicas)
                .withReplicaTimeout(Duration.ofMillis(500))
                .withGracePeriod(gracePeriod);
        try (LockBackend backend = RedisLockBackend.of(client, options);
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(SETTINGS, "redis", backend);
            long fence = lock(locker);

            assertThat(other.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
            masterPort = other.port();
            address.redirect(other.port());
            assertThat(one.command("REPLICAOF", "127.0.0.1", Integer.toString(other.port())))
                    .isEqualTo("OK");

            assertThat(lock(locker)).isGreaterThan(fence);
        }
    }

    /** The first listings reach the former master, whose data is that of the new one, or older. */
    @Test
    void locksAreListedByTheNewMasterOnly() {
        factory.afterPropertiesSet();
        factory.start();
        RedisLockOptions options = RedisLockOptions.defaults().withMinReplicas(0);
        try (LockBackend backend = RedisLockBackend.of(factory, options)) {
            StoreClient store = new StoreClient(backend, "deploy");
            store.grant("before");
            await().atMost(SOON).until(() -> Long.valueOf(1).equals(other.command("EXISTS", "deploy:before")));

            assertThat(other.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
            assertThat(one.command("REPLICAOF", "127.0.0.1", Integer.toString(other.port())))
                    .isEqualTo("OK");
            assertThat(backend.list("deploy", 10).toCompletableFuture())
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withMessageContaining("READONLY");
            masterPort = other.port();

            String written = "deploy:since";
            assertThat(other.command("SET", written, String.valueOf(other.command("GET", "deploy:before"))))
                    .isEqualTo("OK");
            assertThat(other.command("PEXPIRE", written, "600000")).isEqualTo(1L);
            await().atMost(SOON)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(store.list(10).locks())
                            .extracting(LockListing.Entry::key)
                            .containsExactlyInAnyOrder("before", "since"));
        }
    }

    /** For a moment the name leads to the former master. */
    @Test
    void theSubscriptionFollowsTheMasterIfTheNameDoesSoLate() {
        factory.afterPropertiesSet();
        factory.start();
        RedisLockOptions options = RedisLockOptions.defaults().withMinReplicas(0);
        try (LockBackend backend = RedisLockBackend.of(factory, options);
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(SETTINGS, "redis", backend);
            LockHandle held = locker.lock("waited-for");
            CompletableFuture<Optional<LockHandle>> waiting = engine.locker(OTHER, "redis", backend)
                    .tryLockAsync(LockRequest.of("waited-for").withWaitTime(Duration.ofMinutes(5)))
                    .toCompletableFuture();
            // that of the process, and that of all processes
            await().atMost(SOON).until(() -> channels(one).size() == 2);

            assertThat(other.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
            assertThat(one.command("REPLICAOF", "127.0.0.1", Integer.toString(other.port())))
                    .isEqualTo("OK");
            for (int failures = 0; failures < 3; ) {
                try {
                    locker.tryLock("a");
                } catch (LockBackendException ex) {
                    failures++;
                }
            }
            masterPort = other.port();

            lock(locker);
            await().atMost(SOON).until(() -> channels(other).size() == 2);
            waiting.cancel(true);
            held.close();
        }
    }

    private static List<?> channels(RedisServer server) {
        return (List<?>) server.command("PUBSUB", "CHANNELS");
    }

    private static long lock(LeaseLocker locker) {
        LockHandle handle = await().atMost(Duration.ofSeconds(40))
                .ignoreExceptionsInstanceOf(LockBackendException.class)
                .until(() -> locker.tryLock("a").orElse(null), lock -> lock != null);
        handle.close();
        return handle.fencingToken();
    }
}
