package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockListener;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The documented user needs each of its permissions and no others. */
class RedisRightsTests {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.startDurable();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void theDocumentedRightsAreEnough() {
        useEverything(RedisUser.documented());
    }

    @ParameterizedTest
    @MethodSource("rights")
    void withoutOneOfThemSomethingFails(String right) {
        RedisUser user = RedisUser.documented().without(right);

        assertThatThrownBy(() -> useEverything(user)).isInstanceOf(AssertionError.class);
    }

    @Test
    void theLackOfARightInAScriptHasANextStep() {
        RedisUser.documented().without("+time").create(redis, "timeless");
        LettuceConnectionFactory factory = connect("timeless");
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            assertThatThrownBy(() -> client.grant("a"))
                    .cause()
                    .hasMessageContaining("grant it the commands of docs/redis-acl.md");
        } finally {
            factory.destroy();
        }
    }

    @Test
    void aWaiterThatMayNotSubscribeOpensNoConnectionForEachPoll() {
        RedisUser.documented().without("&lock-turns:*").create(redis, "deaf");
        FaultProxy proxy = new FaultProxy(redis.port());
        RedisStandaloneConfiguration behindProxy = RedisUser.at(redis, "deaf");
        behindProxy.setPort(proxy.port());
        LettuceConnectionFactory factory = connect(behindProxy);
        try (proxy;
                LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            StoreClient holder = new StoreClient(backend, "deploy");
            Held held = holder.grant("polled");
            LeaseLocker locker = engine.locker(LockerSettings.of("deploy"), "redis", backend);
            assertThat(locker.tryLock("polled", Duration.ofSeconds(2))).isEmpty();
            assertThat(proxy.accepted()).isBetween(1, 2);
            holder.release(held);
        } finally {
            factory.destroy();
        }
    }

    @Test
    void withoutTheRightToInspectTheCheckReportsThatItKnowsNothing() {
        RedisUser.documented().without("+info").create(redis, "blind");
        LettuceConnectionFactory factory = connect("blind");
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            assertThat(client.release(client.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(StoreClient.await(backend.inspect())).singleElement().satisfies(finding -> {
                assertThat(finding.subject()).isEqualTo("user");
                assertThat(finding.finding()).contains("may not run INFO");
                assertThat(finding.nextStep()).contains("'+info'");
            });
        } finally {
            factory.destroy();
        }
    }

    @Test
    void listingLocksNeedsOneMoreRight() {
        assertThat(listing(RedisUser.documented()).incomplete()).contains("grant it +scan, see docs/redis-acl.md");
        LockListing listing = listing(RedisUser.documented().with("+scan"));
        assertThat(listing.incomplete()).isNull();
        assertThat(listing.locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.state().toString()).startsWith("held by 'orders@host:1' since "));
    }

    private static LockListing listing(RedisUser user) {
        user.create(redis, "lister");
        redis.command("FLUSHALL");
        LettuceConnectionFactory factory = connect("lister");
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            client.grantTo(new Instance(1, "orders@host:1"), client.id("a"), StoreClient.LONG);
            return client.list(10);
        } finally {
            factory.destroy();
        }
    }

    /** The ping is on the connection for messages, which the first waiter opens. */
    @Test
    void withTheRightsToCommandsWithoutEffectNothingIsRefused() {
        RedisUser user = RedisUser.documented().withCommandsWithoutEffect(redis);
        redis.command("ACL", "LOG", "RESET");
        redis.command("CONFIG", "RESETSTAT");
        useEverything(user);
        LettuceConnectionFactory factory = connect("locks");
        try (LockBackend backend = RedisLocking.readyForWaiters(factory, RedisLockOptions.defaults())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> redis.calls().getOrDefault("ping", 0L) > 0);
            StoreClient client = new StoreClient(backend, "deploy");
            client.release(client.grant("a"));
        } finally {
            factory.destroy();
        }
        assertThat((List<?>) redis.command("ACL", "LOG")).isEmpty();
    }

    static List<String> rights() {
        return RedisUser.documented().rights().stream()
                .filter(right -> !right.contains("billing"))
                .toList();
    }

    @Test
    void jedisNeedsNoOthers() {
        RedisUser.documented().create(redis, "locks");
        JedisConnectionFactory factory = new JedisConnectionFactory(RedisUser.at(redis, "locks"));
        factory.afterPropertiesSet();
        factory.start();
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient.await(backend.connect());
            StoreClient client = new StoreClient(backend, "billing");
            Held held = client.grant("a");
            client.busy(held.id());
            assertThat(client.renew(held, Duration.ofSeconds(40))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        } finally {
            factory.destroy();
        }
    }

    @Test
    void anotherNamespaceIsClosed() {
        RedisUser.documented().create(redis, "locks");
        LettuceConnectionFactory factory = connect("locks");
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "payroll");
            assertThatThrownBy(() -> client.grant("a"))
                    .isInstanceOf(AssertionError.class)
                    .cause()
                    .hasMessageContaining("the Redis user may not access the keys of this locker");
        } finally {
            factory.destroy();
        }
    }

    /** Executes all operations of locks in Redis once. */
    private static void useEverything(RedisUser user) {
        user.create(redis, "locks");
        redis.command("SCRIPT", "FLUSH");
        redis.command("FLUSHALL");
        LettuceConnectionFactory factory = connect("locks");
        try (LockBackend backend = RedisLocking.readyForWaiters(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            Held first = client.grantTo(new Instance(1, "orders@host:1"), client.id("a"), StoreClient.LONG);
            assertThat(client.describe(first.id()).toString()).contains("orders@host:1");
            client.busy(first.id());
            assertThat(client.renew(first, Duration.ofSeconds(40))).isEqualTo(RenewAnswer.RENEWED);
            Waiter second = client.waitFor(first.id());
            Waiter third = client.waitFor(first.id());
            assertThat(client.release(first)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(second.busy().wakeup()).succeedsWithin(Duration.ofSeconds(20));
            Held woken = client.grant(new AcquireCommand(second.id(), second.token(), StoreClient.LONG, 1, true));
            client.giveUp(third);
            client.release(woken);
            takeSeveralTimes(client, "b");
            takeFromItsHolder(client, "c");
            assertThat(StoreClient.await(backend.inspect())).isEmpty();
        } finally {
            factory.destroy();
        }
    }

    private static void takeFromItsHolder(StoreClient client, String key) {
        Held held = client.grant(key);
        assertThat(client.revoke(held.id(), name(client, held))).isEqualTo(Outcome.REVOKED);
        assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.REVOKED);
        client.release(held);
        Held kept = client.grant(key);
        client.release(kept, StoreClient.LONG);
        assertThat(client.revoke(kept.id(), name(client, kept))).isEqualTo(Outcome.REMOVED);
    }

    private static long name(StoreClient client, Held held) {
        return ((LockState.Held) client.describe(held.id())).fencingToken().orElseThrow();
    }

    private static void takeSeveralTimes(StoreClient client, String key) {
        long last = 0;
        for (int i = 0; i < 4; i++) {
            Held held = client.grant(key);
            assertThat(held.firstFence()).isGreaterThan(last);
            last = held.firstFence();
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    private static LettuceConnectionFactory connect(String user) {
        return connect(RedisUser.at(redis, user));
    }

    private static LettuceConnectionFactory connect(RedisStandaloneConfiguration configuration) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
