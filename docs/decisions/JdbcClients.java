import com.zaxxer.hikari.*;
import io.leasehold.*;
import io.leasehold.jdbc.*;
import io.leasehold.engine.*;
import java.sql.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import net.javacrumbs.shedlock.core.*;
import net.javacrumbs.shedlock.provider.jdbctemplate.*;
import org.springframework.integration.jdbc.lock.*;
import org.springframework.jdbc.core.JdbcTemplate;

/** Cycles of taking and freeing a lock of one's own through several clients of a database, in turns, on a running server. */
public final class JdbcClients {
    interface Cycle {
        void run(String key) throws Exception;
    }

    public static void main(String[] a) throws Exception {
        String url = a[0];
        int rounds = Integer.parseInt(a[1]), millis = Integer.parseInt(a[2]), size = Integer.parseInt(a[3]);
        for (int callers : new int[] {1, 8, 32}) {
            List<AutoCloseable> close = new ArrayList<>();
            Map<String, Cycle> c = new LinkedHashMap<>();
            c.put("raw", raw(pool(url, size, close)));
            c.put("leasehold", ours(pool(url, size, close), size, close));
            c.put("Spring Integration", si(pool(url, size, close)));
            c.put("ShedLock", shed(pool(url, size, close)));
            Map<String, List<Double>> ratio = new LinkedHashMap<>();
            Map<String, List<Double>> abs = new LinkedHashMap<>();
            for (var e : c.entrySet()) measure(e.getValue(), callers, millis);
            for (int r = 0; r < rounds; r++) {
                double base = 0;
                for (var e : c.entrySet()) {
                    double v = measure(e.getValue(), callers, millis);
                    if (base == 0) base = v;
                    ratio.computeIfAbsent(e.getKey(), k -> new ArrayList<>()).add(v / base);
                    abs.computeIfAbsent(e.getKey(), k -> new ArrayList<>()).add(v);
                }
            }
            StringBuilder b = new StringBuilder(url.substring(5, 12) + " callers " + callers + ": ");
            ratio.forEach((k, v) -> {
                Collections.sort(v);
                var w = abs.get(k);
                Collections.sort(w);
                b.append(String.format(
                        "%s %.2f (%.2f-%.2f, %.0f/s)  ",
                        k, v.get(v.size() / 2), v.get(0), v.get(v.size() - 1), w.get(w.size() / 2)));
            });
            System.out.println(b);
            for (var x : close) x.close();
        }
        System.exit(0);
    }

    static double measure(Cycle c, int callers, int millis) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        LongAdder n = new LongAdder();
        var ts = new ArrayList<Thread>();
        var err = new AtomicReference<Throwable>();
        long s = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            int me = i;
            Thread t = new Thread(() -> {
                try {
                    int j = 0;
                    while (!stop.get()) {
                        c.run("k-" + me + "-" + (j++ % 50));
                        n.increment();
                    }
                } catch (Throwable e) {
                    err.set(e);
                }
            });
            t.start();
            ts.add(t);
        }
        Thread.sleep(millis);
        stop.set(true);
        for (var t : ts) t.join();
        if (err.get() != null) throw new Exception(err.get());
        return n.sum() * 1e9 / (System.nanoTime() - s);
    }

    static HikariDataSource pool(String url, int size, List<AutoCloseable> close) {
        var c = new HikariConfig();
        c.setJdbcUrl(url);
        c.setMaximumPoolSize(size);
        c.setMinimumIdle(size);
        var p = new HikariDataSource(c);
        close.add(0, p);
        return p;
    }

    static Cycle raw(HikariDataSource p) throws Exception {
        boolean pg = p.getJdbcUrl().contains("postgres");
        String now = pg
                ? "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"
                : "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        try (var c = p.getConnection();
                var s = c.createStatement()) {
            s.execute("DROP TABLE IF EXISTS raw_lock");
            s.execute(
                    "CREATE TABLE raw_lock (name VARCHAR(100) PRIMARY KEY, token VARCHAR(36), until_at BIGINT NOT NULL, fence BIGINT NOT NULL)"
                            + (pg ? " WITH (fillfactor=50)" : ""));
            for (int i = 0; i < 32; i++)
                for (int j = 0; j < 50; j++)
                    s.execute("INSERT INTO raw_lock VALUES ('k-" + i + "-" + j + "', NULL, 0, 0)");
        }
        return key -> {
            String token = UUID.randomUUID().toString();
            try (var c = p.getConnection();
                    var s = c.prepareStatement("UPDATE raw_lock SET token = ?, fence = fence + 1, until_at = " + now
                            + " + 30000000 WHERE name = ? AND until_at <= " + now)) {
                s.setString(1, token);
                s.setString(2, key);
                if (s.executeUpdate() != 1) throw new IllegalStateException();
            }
            try (var c = p.getConnection();
                    var s = c.prepareStatement(
                            "UPDATE raw_lock SET token = NULL, until_at = 0 WHERE name = ? AND token = ?")) {
                s.setString(1, key);
                s.setString(2, token);
                if (s.executeUpdate() != 1) throw new IllegalStateException();
            }
        };
    }

    static Cycle ours(HikariDataSource p, int size, List<AutoCloseable> close) {
        var b = JdbcLockBackend.withOwnPool(
                p, new JdbcLockOptions().withTable("bench_lease").withConnections(size), System::nanoTime);
        b.initializeSchema();
        var e = new LockEngine(new LockListener() {});
        Locker l = e.locker(settings(), "jdbc", b);
        close.add(0, b);
        close.add(0, e);
        return key -> {
            try (LockHandle h = l.lock(key)) {
                if (h.fencingToken() == 0) throw new IllegalStateException();
            }
        };
    }

    static LockerSettings settings() {
        return new LockerSettings(
                "b",
                "b",
                LockerSettings.DEFAULT_WAIT_TIME,
                LockerSettings.DEFAULT_TTL,
                true,
                null,
                Duration.ZERO,
                null,
                16);
    }

    static Cycle si(HikariDataSource p) throws Exception {
        boolean pg = p.getJdbcUrl().contains("postgres");
        try (var c = p.getConnection();
                var s = c.createStatement()) {
            s.execute("DROP TABLE IF EXISTS INT_LOCK");
            s.execute(
                    "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36), CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL, constraint INT_LOCK_PK primary key (LOCK_KEY, REGION))");
        }
        var r = new DefaultLockRepository(p);
        r.setTransactionManager(new org.springframework.jdbc.support.JdbcTransactionManager(p));
        r.afterPropertiesSet();
        r.afterSingletonsInstantiated();
        var reg = new JdbcLockRegistry(r);
        return key -> {
            var l = reg.obtain(key);
            if (!l.tryLock(5, java.util.concurrent.TimeUnit.SECONDS)) throw new IllegalStateException();
            l.unlock();
        };
    }

    static Cycle shed(HikariDataSource p) throws Exception {
        try (var c = p.getConnection();
                var s = c.createStatement()) {
            s.execute("DROP TABLE IF EXISTS shedlock");
            s.execute(
                    "CREATE TABLE shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))");
        }
        var lp = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(p))
                .usingDbTime()
                .build());
        return key -> {
            var l = lp.lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO))
                    .orElseThrow();
            l.unlock();
        };
    }
}
