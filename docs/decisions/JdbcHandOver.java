import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How long a lock is free before the other of two processes has it, and who gets it how often, on a running PostgreSQL. */
public final class JdbcHandOver {

    private static final String KEY = "k";

    public static void main(String[] args) throws Exception {
        String url = args[0];
        for (int callers : new int[] {1, 4}) {
            for (int section : new int[] {1, 20, 100}) {
                for (boolean listen : new boolean[] {false, true}) {
                    run(url, callers, section, listen, 25);
                }
                run(url, callers, section, false, 5);
            }
        }
        System.exit(0);
    }

    private static void run(String url, int callers, int section, boolean listen, int hint) throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        List<Locker> lockers = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(6);
            HikariDataSource pool = new HikariDataSource(config);
            JdbcLockOptions options = new JdbcLockOptions()
                    .withTable("gap_lease")
                    .withConnections(4)
                    .withHintInterval(Duration.ofMillis(hint))
                    .withListen(listen);
            JdbcLockBackend backend = JdbcLockBackend.withOwnPool(pool, options, System::nanoTime);
            backend.initializeSchema();
            LockEngine engine = new LockEngine(new LockListener() {});
            lockers.add(engine.locker(LockerSettings.of("gap-" + hint + listen), "jdbc", backend));
            open.addAll(List.of(engine, backend, pool));
        }
        Observation seen = new Observation();
        List<Thread> threads = new ArrayList<>();
        for (int caller = 0; caller < 2 * callers; caller++) {
            int process = caller % 2;
            threads.add(new Thread(() -> seen.use(lockers.get(process), process, section)));
        }
        threads.forEach(Thread::start);
        try (Connection monitor = DriverManager.getConnection(url)) {
            Thread.sleep(2_000);
            seen.begin();
            long statements = statements(monitor);
            long start = System.nanoTime();
            Thread.sleep(6_000);
            seen.ended = true;
            double seconds = (System.nanoTime() - start) / 1e9;
            Thread.sleep(1_100);
            statements = statements(monitor) - statements;
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.printf(
                    "%d callers each, sections of %d ms, %s: %s, %.0f statements/s%n",
                    callers,
                    section,
                    listen ? "told" : "looking each " + hint + " ms",
                    seen.report(seconds),
                    statements / seconds);
        }
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static long statements(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** What one lock's holders saw; changed by nobody but them. */
    private static final class Observation {

        private final List<Long> gaps = new ArrayList<>();

        private final AtomicIntegerArray locks = new AtomicIntegerArray(2);

        private volatile boolean ended;

        private long released;

        private int last = -1;

        void begin() {
            synchronized (gaps) {
                gaps.clear();
                locks.set(0, 0);
                locks.set(1, 0);
            }
        }

        void use(Locker locker, int process, int section) {
            while (!ended) {
                try (LockHandle held = locker.lock(KEY)) {
                    hold(process, section);
                }
            }
        }

        private void hold(int process, int section) {
            synchronized (gaps) {
                locks.incrementAndGet(process);
                if (last >= 0 && last != process) {
                    gaps.add(System.nanoTime() - released);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(section);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
            synchronized (gaps) {
                last = process;
                released = System.nanoTime();
            }
        }

        String report(double seconds) {
            Collections.sort(gaps);
            int a = locks.get(0);
            int b = locks.get(1);
            return "%.0f locks/s, shares %d : %d, %d times to the other process, free for p50 %s, p99 %s"
                    .formatted((a + b) / seconds, Math.max(a, b), Math.min(a, b), gaps.size(), gap(0.5), gap(0.99));
        }

        private String gap(double quantile) {
            return gaps.isEmpty() ? "-" : "%.1f ms".formatted(gaps.get((int) (gaps.size() * quantile)) / 1e6);
        }
    }
}
