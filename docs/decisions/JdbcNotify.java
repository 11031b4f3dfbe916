import com.zaxxer.hikari.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/** What a NOTIFY in each release costs those who release, on a running PostgreSQL. */
public final class JdbcNotify {
    interface Cycle {
        void run(String k) throws Exception;
    }

    public static void main(String[] a) throws Exception {
        String url = a[0];
        for (String sync : new String[] {"off", "on"})
            for (int callers : new int[] {1, 8, 32}) {
                var c = new HikariConfig();
                c.setJdbcUrl(url);
                c.setMaximumPoolSize(8);
                c.setConnectionInitSql("SET synchronous_commit = " + sync);
                var p = new HikariDataSource(c);
                try (var x = p.getConnection();
                        var s = x.createStatement()) {
                    s.execute("DROP TABLE IF EXISTS nl");
                    s.execute("CREATE TABLE nl (k VARCHAR(50) PRIMARY KEY, e BIGINT) WITH (fillfactor=50)");
                    for (int i = 0; i < 32; i++) s.execute("INSERT INTO nl VALUES ('k" + i + "',0)");
                }
                var listener = java.sql.DriverManager.getConnection(url);
                listener.createStatement().execute("LISTEN leasehold");
                var stop = new AtomicBoolean();
                var got = new LongAdder();
                var pgc = listener.unwrap(org.postgresql.PGConnection.class);
                Thread lt = new Thread(() -> {
                    try {
                        while (!stop.get()) {
                            var n = pgc.getNotifications(200);
                            if (n != null) got.add(n.length);
                        }
                    } catch (Exception e) {
                    }
                });
                lt.start();
                Cycle plain = k -> {
                    one(p, "UPDATE nl SET e = 1 WHERE k = ?", k);
                    one(p, "UPDATE nl SET e = 0 WHERE k = ?", k);
                };
                Cycle noti = k -> {
                    one(p, "UPDATE nl SET e = 1 WHERE k = ?", k);
                    two(
                            p,
                            "WITH r AS (UPDATE nl SET e = 0 WHERE k = ? RETURNING k) SELECT pg_notify('leasehold', k) FROM r",
                            k);
                };
                measure(plain, callers, 400);
                measure(noti, callers, 400);
                var r = new ArrayList<Double>();
                double b = 0;
                for (int i = 0; i < 7; i++) {
                    double x = measure(plain, callers, 500), y = measure(noti, callers, 500);
                    r.add(y / x);
                    b = x;
                }
                Collections.sort(r);
                System.out.printf(
                        "synchronous_commit %s, %d callers on 8 connections: with NOTIFY %.2f (%.2f-%.2f) of %.0f/s, got %d%n",
                        sync, callers, r.get(3), r.get(0), r.get(6), b, got.sum());
                stop.set(true);
                lt.join();
                listener.close();
                p.close();
            }
        System.exit(0);
    }

    static void one(HikariDataSource p, String sql, String k) throws Exception {
        try (var c = p.getConnection();
                var s = c.prepareStatement(sql)) {
            s.setString(1, k);
            s.executeUpdate();
        }
    }

    static void two(HikariDataSource p, String sql, String k) throws Exception {
        try (var c = p.getConnection();
                var s = c.prepareStatement(sql)) {
            s.setString(1, k);
            s.executeQuery().close();
        }
    }

    static double measure(Cycle c, int callers, int millis) throws Exception {
        var stop = new AtomicBoolean();
        var n = new LongAdder();
        var ts = new ArrayList<Thread>();
        long s = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            int me = i;
            Thread t = new Thread(() -> {
                try {
                    while (!stop.get()) {
                        c.run("k" + me);
                        n.increment();
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                }
            });
            t.start();
            ts.add(t);
        }
        Thread.sleep(millis);
        stop.set(true);
        for (var t : ts) t.join();
        return n.sum() * 1e9 / (System.nanoTime() - s);
    }
}
