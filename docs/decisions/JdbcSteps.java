import com.zaxxer.hikari.*;
import io.leasehold.*;
import io.leasehold.jdbc.*;
import io.leasehold.engine.*;
import java.lang.management.ManagementFactory;
import java.security.MessageDigest;
import java.sql.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** What each step from plain updates by hand to this library costs, on a running PostgreSQL with nothing else in it. */
public final class JdbcSteps {
    interface Cycle {
        void run(String key) throws Exception;
    }

    static final int CONNECTIONS = 8;
    static final String DECIMAL = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";
    static final String NOW = "(date_part('epoch', clock_timestamp()) * 1000000)::bigint";
    static final com.sun.management.OperatingSystemMXBean SYSTEM =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] a) throws Exception {
        String url = a[0];
        int rounds = Integer.parseInt(a[1]), millis = Integer.parseInt(a[2]), warmUp = Integer.parseInt(a[3]);
        Map<String, Cycle> cycles = new LinkedHashMap<>();
        cycles.put("raw", raw(url, "a", DECIMAL, null));
        cycles.put("raw, double", raw(url, "b", NOW, null));
        cycles.put("raw, token", raw(url, "c", DECIMAL, new String[] {"fence"}));
        cycles.put("ours by hand", byHand(url, "d", new Semaphore(1000)));
        cycles.put("ours by hand, socket timeout", byHand(url + "&socketTimeout=10", "e", new Semaphore(1000)));
        cycles.put("ours by hand, semaphore", byHand(url, "f", new Semaphore(CONNECTIONS - 1)));
        cycles.put("leasehold", leasehold(url));
        for (int i = 4; i < a.length; i++) compare(cycles, Integer.parseInt(a[i]), rounds, millis, warmUp);
        System.exit(0);
    }

    static void compare(Map<String, Cycle> cycles, int callers, int rounds, int millis, int warmUp) throws Exception {
        for (Cycle c : cycles.values()) measure(c, callers, warmUp);
        List<String> order = new ArrayList<>(cycles.keySet());
        Map<String, List<Double>> ratios = new HashMap<>(), cpu = new HashMap<>();
        for (int r = 0; r < rounds; r++) {
            Map<String, double[]> round = new HashMap<>();
            for (String name : order) round.put(name, measure(cycles.get(name), callers, millis));
            Collections.shuffle(order);
            round.forEach((name, v) -> {
                ratios.computeIfAbsent(name, n -> new ArrayList<>()).add(v[0] / round.get("raw")[0]);
                cpu.computeIfAbsent(name, n -> new ArrayList<>()).add(v[1]);
            });
        }
        for (String name : cycles.keySet()) {
            List<Double> r = ratios.get(name), c = cpu.get(name);
            Collections.sort(r);
            Collections.sort(c);
            System.out.printf(
                    "%2d callers: %-30s %.2f x raw (%.2f-%.2f), %.0f us in the JVM%n",
                    callers, name, r.get(rounds / 2), r.get(rounds / 4), r.get(rounds * 3 / 4), c.get(rounds / 2));
        }
    }

    /** Cycles a second, and microseconds of this process for each. */
    static double[] measure(Cycle cycle, int callers, int millis) throws Exception {
        LongAdder count = new LongAdder();
        AtomicReference<Throwable> error = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        long cpu = SYSTEM.getProcessCpuTime(), start = System.nanoTime(), end = start + millis * 1_000_000L;
        for (int i = 0; i < callers; i++) {
            String key = "key-" + i;
            Thread thread = new Thread(() -> {
                try {
                    for (; System.nanoTime() - end < 0; count.increment()) cycle.run(key);
                } catch (Throwable e) {
                    error.set(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        if (error.get() != null) throw new Exception(error.get());
        return new double[] {
            count.sum() * 1e9 / (System.nanoTime() - start), (SYSTEM.getProcessCpuTime() - cpu) / 1e3 / count.sum()
        };
    }

    static HikariDataSource pool(String url, String... ddl) throws SQLException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(CONNECTIONS);
        for (String sql : ddl) update(pool, sql);
        return pool;
    }

    static int update(HikariDataSource pool, String sql, Object... parameters) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) statement.setObject(i + 1, parameters[i]);
            return statement.executeUpdate();
        }
    }

    static Cycle raw(String url, String name, String now, String[] returned) throws SQLException {
        String table = "raw_" + name;
        HikariDataSource pool = pool(
                url,
                "CREATE TABLE " + table + " (name VARCHAR(100) PRIMARY KEY, token VARCHAR(36), until_at BIGINT NOT NULL,"
                        + " fence BIGINT NOT NULL) WITH (fillfactor = 50)",
                "INSERT INTO " + table + " SELECT 'key-' || i, NULL, 0, 0 FROM generate_series(0, 99) i");
        String take = "UPDATE " + table + " SET token = ?, fence = fence + 1, until_at = " + now
                + " + 30000000 WHERE name = ? AND until_at <= " + now;
        String give = "UPDATE " + table + " SET token = NULL, until_at = 0 WHERE name = ? AND token = ?";
        return key -> {
            String token = UUID.randomUUID().toString();
            try (var connection = pool.getConnection();
                    var statement = returned == null
                            ? connection.prepareStatement(take)
                            : connection.prepareStatement(take, returned)) {
                statement.setString(1, token);
                statement.setString(2, key);
                require(statement.executeUpdate() == 1);
                if (returned != null) {
                    try (ResultSet rows = statement.getGeneratedKeys()) {
                        require(rows.next() && rows.getLong(1) > 0);
                    }
                }
            }
            require(update(pool, give, key, token) == 1);
        };
    }

    static Cycle byHand(String url, String name, Semaphore room) throws Exception {
        String table = "lease_" + name;
        HikariDataSource pool = pool(
                url,
                "CREATE TABLE " + table + " (key_hash BYTEA PRIMARY KEY, lock_key VARCHAR(512) NOT NULL, token VARCHAR(33)"
                        + " NOT NULL, fence BIGINT NOT NULL, fences INTEGER NOT NULL, expires_at BIGINT NOT NULL)"
                        + " WITH (fillfactor = 50)",
                "INSERT INTO " + table + " SELECT sha256(('key-' || i)::bytea), 'leasehold:key-' || i, '', " + NOW
                        + ", 1, 0 FROM generate_series(0, 99) i");
        String take = "UPDATE " + table + " SET fence = GREATEST(fence + fences, " + NOW + "), fences = ?, token = ?,"
                + " expires_at = " + NOW + " + ? WHERE key_hash = ? AND expires_at <= " + NOW + " RETURNING fence";
        String give = "UPDATE " + table + " SET token = ?, expires_at = 0 WHERE key_hash = ? AND token = ? AND"
                + " expires_at > " + NOW;
        return key -> {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes());
            String token = UUID.randomUUID().toString().replace("-", "");
            room.acquire();
            try (var connection = pool.getConnection();
                    var statement = connection.prepareStatement(take)) {
                statement.setInt(1, 1);
                statement.setString(2, token);
                statement.setLong(3, 30_000_000);
                statement.setBytes(4, hash);
                try (ResultSet rows = statement.executeQuery()) {
                    require(rows.next() && rows.getLong(1) > 0);
                }
            } finally {
                room.release();
            }
            room.acquire();
            try {
                require(update(pool, give, "-" + token, hash, token) == 1);
            } finally {
                room.release();
            }
        };
    }

    static Cycle leasehold(String url) throws Exception {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                pool(url), new JdbcLockOptions().withConnections(CONNECTIONS), System::nanoTime);
        backend.initializeSchema();
        LockerSettings settings = LockerSettings.of("leasehold").withTtl(Duration.ofSeconds(30));
        Locker locker = new LockEngine(new LockListener() {}).locker(settings, "steps", backend);
        return key -> require(locker.lock(key).release());
    }

    static void require(boolean done) {
        if (!done) throw new IllegalStateException("the lock was not free, or was lost");
    }
}
