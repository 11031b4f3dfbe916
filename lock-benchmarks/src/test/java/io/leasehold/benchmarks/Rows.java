package io.leasehold.benchmarks;

import static io.leasehold.benchmarks.contestant.RedisContestant.INTEGRATION_PUBSUB;
import static io.leasehold.benchmarks.contestant.RedisContestant.INTEGRATION_RENEWED;
import static io.leasehold.benchmarks.contestant.RedisContestant.INTEGRATION_SPIN;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD_FORGETFUL;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD_NOTIFYING;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD_OBSERVED;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD_STARTER;
import static io.leasehold.benchmarks.contestant.RedisContestant.LEASEHOLD_UNWAITED;
import static io.leasehold.benchmarks.contestant.RedisContestant.LOCK4J;
import static io.leasehold.benchmarks.contestant.RedisContestant.RAW;
import static io.leasehold.benchmarks.contestant.RedisContestant.RAW_QUEUED;
import static io.leasehold.benchmarks.contestant.RedisContestant.REDISSON;
import static io.leasehold.benchmarks.contestant.RedisContestant.REDISSON_FENCED;
import static io.leasehold.benchmarks.contestant.RedisContestant.REDISSON_SPIN;
import static io.leasehold.benchmarks.contestant.RedisContestant.SHEDLOCK;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.EtcdContestant;
import io.leasehold.benchmarks.contestant.JdbcContestant;
import io.leasehold.benchmarks.jmh.AspectBenchmark;
import io.leasehold.benchmarks.jmh.AsyncBenchmark;
import io.leasehold.benchmarks.jmh.EngineBenchmark;
import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.load.Keys;
import io.leasehold.benchmarks.row.HandoffRow;
import io.leasehold.benchmarks.row.HeldRow;
import io.leasehold.benchmarks.row.IdleRow;
import io.leasehold.benchmarks.row.JmhRow;
import io.leasehold.benchmarks.row.KeysRow;
import io.leasehold.benchmarks.row.LoopRow;
import io.leasehold.benchmarks.row.LoopShape;
import io.leasehold.benchmarks.row.Row;
import io.leasehold.benchmarks.row.StartUpRow;
import io.leasehold.benchmarks.store.Distance;
import io.leasehold.benchmarks.store.EtcdStore;
import io.leasehold.benchmarks.store.JdbcStore;
import io.leasehold.benchmarks.store.RedisStore;
import io.leasehold.benchmarks.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All rows, in the order of the report. */
final class Rows {

    private static final List<Contestant> ALL = List.of(
            LEASEHOLD,
            RAW,
            REDISSON,
            REDISSON_FENCED,
            REDISSON_SPIN,
            INTEGRATION_PUBSUB,
            INTEGRATION_SPIN,
            SHEDLOCK,
            LOCK4J);

    private static final List<Contestant> WAITING =
            List.of(LEASEHOLD, REDISSON, REDISSON_FENCED, REDISSON_SPIN, INTEGRATION_PUBSUB, INTEGRATION_SPIN, LOCK4J);

    private static final List<Contestant> USED_KEYS =
            List.of(JdbcContestant.LEASEHOLD, JdbcContestant.RAW, JdbcContestant.INTEGRATION, JdbcContestant.SHEDLOCK);

    private static final List<Contestant> NEW_KEYS = List.of(
            JdbcContestant.LEASEHOLD_STARTER,
            JdbcContestant.LEASEHOLD,
            JdbcContestant.RAW_NEW_KEYS,
            JdbcContestant.INTEGRATION,
            JdbcContestant.SHEDLOCK);

    private static final List<Contestant> IN_ETCD =
            List.of(EtcdContestant.LEASEHOLD, EtcdContestant.RAW, EtcdContestant.JETCD);

    private static final String NOT_WAITING = "Left out: ShedLock, which does not wait.";

    private static final String TIMERS =
            "Left out: lock4j, which renews each lock with a timer, and so a thread, of its own.";

    private static final Duration MILLI = Duration.ofMillis(1);

    private final Distance distance;

    private Rows(Distance distance) {
        this.distance = distance;
    }

    /**
     * Returns all rows.
     *
     * @param roundTrips the distances of the stores, measured in turn, in the rows of callers in a loop
     */
    static List<Row> all(List<Duration> roundTrips) {
        List<Row> rows = new ArrayList<>();
        roundTrips.forEach(roundTrip -> rows.addAll(new Rows(new Distance(roundTrip)).loops()));
        rows.addAll(others());
        return rows;
    }

    private List<Row> loops() {
        List<Row> rows = new ArrayList<>();
        for (int threads : List.of(1, 8, 64)) {
            rows.add(application("app-redis-" + threads, threads));
        }
        for (int callers : List.of(1, 8, 32)) {
            rows.add(application("app-postgres-" + callers, "PostgreSQL", JdbcStore::postgres, NEW_KEYS, callers));
            rows.add(application("app-mariadb-" + callers, "MariaDB", JdbcStore::mariaDb, NEW_KEYS, callers));
            rows.add(application(
                    "app-etcd-" + callers, "etcd", EtcdStore::new, List.of(EtcdContestant.values()), callers));
        }
        for (int threads : List.of(1, 64)) {
            rows.add(application(
                    "observed-" + threads,
                    "Redis",
                    RedisStore::new,
                    List.of(LEASEHOLD_OBSERVED, LEASEHOLD_STARTER, RAW),
                    threads));
        }
        rows.add(loop(
                "app-hot-16",
                "One lock, 16 threads of one Spring Boot application, " + section(Duration.ZERO),
                LoopShape.together(1, 16, Duration.ZERO),
                RedisStore::new,
                with(LEASEHOLD_STARTER, WAITING),
                NOT_WAITING));
        for (int threads : List.of(1, 8, 64)) {
            rows.add(uncontended("uncontended-" + threads, threads, Callers.PLATFORM, Keys.ONE));
        }
        rows.add(uncontended("uncontended-virtual", 1000, Callers.VIRTUAL, Keys.ONE));
        for (int threads : List.of(1, 8, 64)) {
            rows.add(uncontended("fresh-" + threads, threads, Callers.PLATFORM, Keys.NEW));
        }
        for (int threads : List.of(16, 64)) {
            rows.add(oneProcess("hot-" + threads, threads, Duration.ZERO));
            rows.add(oneProcess("hot-" + threads + "-1ms", threads, MILLI));
        }
        rows.add(processes("processes-4x1", 1));
        rows.add(processes("processes-4x4", 4));
        rows.add(processes("processes-4x16", 16));
        for (int callers : List.of(1, 8, 32)) {
            rows.add(apart("postgres-" + callers, "PostgreSQL", JdbcStore::postgres, USED_KEYS, callers));
            rows.add(apart("mariadb-" + callers, "MariaDB", JdbcStore::mariaDb, USED_KEYS, callers));
            rows.add(apart("etcd-" + callers, "etcd", EtcdStore::new, IN_ETCD, callers));
        }
        return rows;
    }

    private static List<Row> others() {
        List<Row> rows = new ArrayList<>();
        rows.add(new HandoffRow("handoffs", Duration.ZERO));
        rows.add(new HandoffRow("handoffs-1ms", MILLI));
        rows.add(new HeldRow("held-10000", 10_000, List.of(LEASEHOLD, REDISSON, INTEGRATION_RENEWED), TIMERS));
        rows.add(new HeldRow("held-50000", 50_000, List.of(LEASEHOLD, REDISSON), TIMERS));
        rows.add(new KeysRow("keys", List.of(LEASEHOLD_FORGETFUL, REDISSON_FENCED, INTEGRATION_PUBSUB)));
        rows.add(engine());
        rows.add(async());
        rows.add(aspect());
        rows.add(new StartUpRow(
                "start-up", "The start of a Spring Boot application without a web server, with locks in Redis"));
        rows.add(new IdleRow("idle", "A Spring Boot application with locks in Redis and the same one without"));
        return rows;
    }

    private Row uncontended(String name, int threads, Callers callers, Keys keys) {
        String title = "%d %sthread%s of one process, each with %s"
                .formatted(
                        threads,
                        callers == Callers.VIRTUAL ? "virtual " : "",
                        threads == 1 ? "" : "s",
                        keys == Keys.ONE ? "a lock of its own" : "a new lock each time");
        List<Contestant> contestants = new ArrayList<>(ALL);
        contestants.add(1, LEASEHOLD_UNWAITED);
        String note = "";
        if (callers == Callers.VIRTUAL) {
            contestants.remove(LOCK4J);
            note = "Left out: lock4j, which did not finish here.";
        }
        return loop(name, title, LoopShape.apart(threads, callers, keys), RedisStore::new, contestants, note);
    }

    /** Rows with the shape of an application: the starter, and keys of orders or messages. */
    private Row application(String name, int threads) {
        return application(name, "Redis", RedisStore::new, with(LEASEHOLD_STARTER, ALL), threads);
    }

    private Row application(
            String name,
            String where,
            Supplier<? extends Store> store,
            List<? extends Contestant> contestants,
            int threads) {
        String title = "%s, a Spring Boot application with %d thread%s, each with a new key each time"
                .formatted(where, threads, threads == 1 ? "" : "s");
        return loop(name, title, LoopShape.apart(threads, Callers.PLATFORM, Keys.NEW), store, contestants, "");
    }

    private LoopRow loop(
            String name,
            String title,
            LoopShape shape,
            Supplier<? extends Store> store,
            List<? extends Contestant> contestants,
            String note) {
        return new LoopRow(distance.name(name), distance.title(title), shape, distance.store(store), contestants, note);
    }

    private static List<Contestant> with(Contestant first, List<Contestant> others) {
        List<Contestant> all = new ArrayList<>(others);
        all.add(0, first);
        return all;
    }

    private Row apart(
            String name,
            String where,
            Supplier<? extends Store> store,
            List<? extends Contestant> contestants,
            int callers) {
        String title = "%s, %d thread%s of one process, each with a lock of its own"
                .formatted(where, callers, callers == 1 ? "" : "s");
        return loop(name, title, LoopShape.apart(callers, Callers.PLATFORM, Keys.ONE), store, contestants, "");
    }

    private Row oneProcess(String name, int threads, Duration section) {
        String title = "One lock, %d threads of one process, %s".formatted(threads, section(section));
        List<Contestant> contestants = new ArrayList<>(WAITING);
        contestants.add(1, RAW_QUEUED);
        return loop(name, title, LoopShape.together(1, threads, section), RedisStore::new, contestants, NOT_WAITING);
    }

    private Row processes(String name, int threads) {
        String title = "One lock, 4 processes with %d thread%s each, %s"
                .formatted(threads, threads == 1 ? "" : "s", section(MILLI));
        String note = "Left out: ShedLock and the raw client, which do not wait.";
        List<Contestant> contestants = with(LEASEHOLD_STARTER, WAITING);
        contestants.add(2, LEASEHOLD_NOTIFYING);
        return loop(name, title, LoopShape.together(4, threads, MILLI), RedisStore::new, contestants, note);
    }

    private static Row engine() {
        return new JmhRow(
                "engine",
                "A lock of the memory backend, one thread",
                EngineBenchmark.class,
                Map.of("lockAndRelease", "`lock` and `release`", "onlyTheStore", "the backend's part of it"));
    }

    private static Row async() {
        return new JmhRow(
                "async",
                "An asynchronous lock of the memory backend and its release, one thread",
                AsyncBenchmark.class,
                Map.of(
                        "onThreadsOfItsOwn", "completed on the engine's threads for callers",
                        "onThreadsOfTheStore", "completed on the store's thread"));
    }

    private static Row aspect() {
        return new JmhRow(
                "aspect",
                "A method under a lock of the memory backend, one thread",
                AspectBenchmark.class,
                Map.of(
                        "annotated", "`@DistributedLock`",
                        "byHand", "`executeLocked`",
                        "bareProxy", "no lock, but a proxy"));
    }

    private static String section(Duration section) {
        return section.isZero() ? "empty section" : "section of " + section.toMillis() + " ms";
    }
}
