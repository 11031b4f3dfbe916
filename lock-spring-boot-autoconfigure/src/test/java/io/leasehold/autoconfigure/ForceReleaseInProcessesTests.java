package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.contract.Grant;
import io.leasehold.contract.History;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A lock that is taken from another process, on real stores. The other process holds the lock in a transaction that
 * hangs, and tries to commit it after the next holder has committed its own.
 */
@Tag("slow")
@Timeout(180)
class ForceReleaseInProcessesTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final Duration CLOCKS = Duration.ofSeconds(1);

    /** How much later than a third of the ttl, which is the time between renewals, the holder may be notified. */
    private static final Duration RENEWAL_SLACK = Duration.ofMillis(200);

    /** Allows for a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    /** Closes the servers of a test. */
    private static final List<Runnable> servers = new ArrayList<>();

    private final JvmProcesses processes = new JvmProcesses();

    private final String table = "payments_" + UUID.randomUUID().toString().replace("-", "");

    static Stream<Store> stores() {
        return Stream.of(
                new Store("Redis", () -> onRedis(RedisServer.shared())),
                new Store("Redis Cluster", ForceReleaseInProcessesTests::onCluster),
                new Store("Redis Sentinel", ForceReleaseInProcessesTests::onSentinels),
                new Store("PostgreSQL", () -> onDatabase(PostgresServer.shared().url())),
                new Store("MariaDB", () -> onDatabase(MariaDbServer.shared().url())),
                new Store("etcd", () -> onEtcd(SharedEtcd.endpoint())),
                new Store("Redlock", ForceReleaseInProcessesTests::onNodes));
    }

    static Stream<Store> rowLocks() {
        return Stream.of(
                new Store("PostgreSQL", () -> onRows(PostgresServer.shared().url())),
                new Store("MariaDB", () -> onRows(MariaDbServer.shared().url())));
    }

    private static List<String> onRedis(RedisServer redis) {
        return List.of(
                "lock.backend=redis",
                "lock.redis.host=" + redis.host(),
                "lock.redis.port=" + redis.port(),
                "spring.datasource.url=" + PostgresServer.shared().url());
    }

    private static List<String> onEtcd(URI etcd) {
        return List.of(
                "lock.backend=etcd",
                "lock.etcd.endpoints=" + etcd,
                "spring.datasource.url=" + PostgresServer.shared().url());
    }

    private static List<String> onCluster() {
        RedisCluster cluster = RedisCluster.start(3, 1);
        servers.add(cluster::close);
        return List.of(
                "lock.backend=redis",
                "spring.data.redis.cluster.nodes="
                        + addresses(cluster.nodes().stream().map(RedisServer::port)),
                "spring.datasource.url=" + PostgresServer.shared().url());
    }

    private static List<String> onSentinels() {
        RedisSentinels sentinels = RedisSentinels.start(1);
        servers.add(sentinels::close);
        return List.of(
                "lock.backend=redis",
                "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER_NAME,
                "spring.data.redis.sentinel.nodes=" + addresses(sentinels.sentinelPorts().stream()),
                "spring.datasource.url=" + PostgresServer.shared().url());
    }

    private static String addresses(Stream<Integer> ports) {
        return ports.map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private static List<String> onNodes() {
        List<String> properties = new ArrayList<>();
        properties.add("lock.backend=redlock");
        // young servers have no vote for this long
        properties.add("lock.redlock.max-ttl=" + TTL);
        properties.add("spring.datasource.url=" + PostgresServer.shared().url());
        for (int i = 0; i < 3; i++) {
            RedisServer node = RedisServer.start();
            servers.add(node::close);
            properties.add("lock.redlock.nodes[" + i + "].host=" + node.host());
            properties.add("lock.redlock.nodes[" + i + "].port=" + node.port());
        }
        return properties;
    }

    private static List<String> onDatabase(String url) {
        return List.of("lock.backend=jdbc", "lock.jdbc.initialize-schema=true", "spring.datasource.url=" + url);
    }

    private static List<String> onRows(String url) {
        return List.of("lock.backend=row-lock", "lock.row-lock.initialize-schema=true", "spring.datasource.url=" + url);
    }

    @AfterEach
    void end() {
        processes.close();
        servers.forEach(Runnable::run);
        servers.clear();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void theHolderIsToldAndItsCommitIsRefused(Store store) {
        run(store, (properties, locker, client) -> takeFromTheOther(store, properties, locker, client));
    }

    /** Its process is ended instead. */
    @ParameterizedTest
    @MethodSource("rowLocks")
    void aRowIsNotTakenFromItsHolder(Store store) {
        run(store, (properties, locker, client) -> {
            ServerProcess first = startFirst(properties);
            long named = Long.parseLong(awaitLine(first, PaymentProcess.HOLDS)[1]);
            assertThat(force(locker, named).outcome()).isEqualTo(Outcome.UNSUPPORTED);
            assertThat(locker.tryLock(LockRequest.of(PaymentProcess.KEY).withWaitTime(TTL)))
                    .isEmpty();
            assertThat(first.output()).doesNotContain(PaymentProcess.LOST);
            first.close();
            assertThat(locker.tryLock(LockRequest.of(PaymentProcess.KEY).withWaitTime(SOON)))
                    .hasValueSatisfying(next -> assertThat(next.fencingToken()).isGreaterThan(named));
        });
    }

    private void run(Store store, Story story) {
        List<String> properties = new ArrayList<>(store.properties().get());
        properties.addAll(List.of(
                "lock.namespace=" + UUID.randomUUID(),
                "lock.defaults.ttl=" + TTL,
                "lock.defaults.command-timeout=1s",
                PaymentProcess.TABLE + "=" + table));
        new ApplicationContextRunner()
                .withUserConfiguration(PaymentProcess.class)
                .withPropertyValues(properties.toArray(String[]::new))
                .withPropertyValues("lock.instance-name=operator", "lock.force-release.enabled=true")
                .run(context -> {
                    JdbcClient client = JdbcClient.create(context.getBean(DataSource.class));
                    client.sql("CREATE TABLE " + table + " (payer VARCHAR(20))").update();
                    story.run(properties, context.getBean(Locker.class), client);
                    client.sql("DROP TABLE " + table).update();
                });
    }

    private void takeFromTheOther(Store store, List<String> properties, Locker locker, JdbcClient client) {
        Instant start = Instant.now();
        ServerProcess first = startFirst(properties);
        String[] holds = awaitLine(first, PaymentProcess.HOLDS);
        LockState.Held seen = awaitNamed(locker);
        assertThat(seen.holder()).isEqualTo("first, thread " + holds[3]);
        assertThat(seen.kind()).isEqualTo(Kind.HOLDER);
        assertThat(seen.since()).isBetween(start.minus(CLOCKS), Instant.now().plus(CLOCKS));
        assertThat(seen.remaining()).isPositive().isLessThanOrEqualTo(TTL);
        long named = seen.fencingToken().orElseThrow();
        assertThat(named).isGreaterThanOrEqualTo(Long.parseLong(holds[1]));

        assertThat(force(locker, named - 1).outcome()).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(describe(locker)).extracting(LockState.Held::kind).isEqualTo(Kind.HOLDER);

        long asked = System.nanoTime();
        ForcedRelease release = force(locker, named);
        assertThat(release.outcome()).isEqualTo(Outcome.REVOKED);
        assertThat(release.holder()).isEqualTo(seen.holder());
        LockHandle second = locker.tryLock(LockRequest.of(PaymentProcess.KEY).withWaitTime(SOON))
                .orElseThrow();
        long granted = System.nanoTime();
        assertThat(second.fencingToken()).isGreaterThan(named);
        PaymentProcess.pay(client, table, "second");

        String[] lost = awaitLine(first, PaymentProcess.LOST);
        assertThat(lost[1]).isEqualTo(LossReason.REVOKED.name());
        assertThat(String.join(" ", awaitLine(first, PaymentProcess.REFUSED))).contains("a forced release");
        assertThat(client.sql("SELECT payer FROM " + table).query(String.class).list())
                .containsExactly("second");
        assertThat(second.isHeld()).isTrue();
        assertNoOverlap(holds, lost, new Grant(second.key(), second.fencingToken(), granted, granted, "second"));
        second.release();
        Duration told = report(store, "told", Long.parseLong(lost[3]) - asked);
        assertThat(told).isLessThan(TTL.dividedBy(3).plus(RENEWAL_SLACK).plus(SLACK));
        assertThat(report(store, "next grant", granted - asked)).isLessThan(TTL.plus(SLACK));
    }

    private ServerProcess startFirst(Collection<String> properties) {
        return processes.start(
                "first",
                PaymentProcess.class,
                Stream.concat(
                                properties.stream(),
                                Stream.of(
                                        "lock.instance-name=first",
                                        "spring.main.web-application-type=none",
                                        "spring.main.banner-mode=off"))
                        .map(property -> "--" + property)
                        .toList());
    }

    /** The clock of {@link System#nanoTime()} is that of the machine, so the times of both processes are comparable. */
    private static void assertNoOverlap(String[] holds, String[] lost, Grant second) {
        History history = new History();
        history.add(new Grant(
                second.key(), Long.parseLong(holds[1]), Long.parseLong(holds[2]), Long.parseLong(lost[2]), "first"));
        history.add(second);
        assertThat(history.violations()).isEmpty();
    }

    private static String[] awaitLine(ServerProcess process, String start) {
        return await().atMost(SOON)
                .until(() -> JvmProcesses.line(process, line -> line.startsWith(start)), Optional::isPresent)
                .orElseThrow()
                .split(" ");
    }

    /** The name of the holder's process is in the store soon after the grant. */
    private static LockState.Held awaitNamed(Locker locker) {
        return await().atMost(SOON).until(() -> describe(locker), state -> state.holder() != null);
    }

    private static LockState.Held describe(Locker locker) {
        LockState state =
                locker.describe(PaymentProcess.KEY).toCompletableFuture().join();
        assertThat(state).isInstanceOf(LockState.Held.class);
        return (LockState.Held) state;
    }

    private static ForcedRelease force(Locker locker, long fencingToken) {
        return locker.forceRelease(PaymentProcess.KEY, fencingToken, "a test")
                .toCompletableFuture()
                .join();
    }

    private static Duration report(Store store, String event, long nanos) {
        System.out.println(store.name() + ", ttl " + TTL.toMillis() + " ms: " + event + " "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms after the forced release");
        return Duration.ofNanos(nanos);
    }

    /** What happens in the process of the operator. */
    private interface Story {
        void run(List<String> properties, Locker locker, JdbcClient client);
    }

    /**
     * A store.
     *
     * @param name its name
     * @param properties the properties of an application that uses it
     */
    record Store(String name, Supplier<List<String>> properties) {

        @Override
        public String toString() {
            return name;
        }
    }
}
