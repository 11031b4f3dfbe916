import com.zaxxer.hikari.*;
import io.leasehold.*;
import io.leasehold.backend.jdbc.*;
import io.leasehold.engine.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/** How long a lock is free between two processes that both wait for it, on a running PostgreSQL. */
public final class JdbcHandOver {
    public static void main(String[] a) throws Exception {
        String url = a[0];
        for (int hint : new int[] {25, 10, 5, 2, 0})
            for (int section : new int[] {1, 100}) {
                List<AutoCloseable> close = new ArrayList<>();
                List<Locker> ls = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    var c = new HikariConfig();
                    c.setJdbcUrl(url);
                    c.setMaximumPoolSize(5);
                    var p = new HikariDataSource(c);
                    var b = new JdbcLockBackend(
                            p,
                            new JdbcLockOptions()
                                    .withTable("gap_lease")
                                    .withConnections(4)
                                    .withHintInterval(Duration.ofMillis(hint)),
                            System::nanoTime);
                    b.initializeSchema();
                    var e = new LockEngine(new LockListener() {});
                    ls.add(e.locker(
                            new LockerSettings(
                                    "g",
                                    "g" + hint,
                                    Duration.ofSeconds(30),
                                    Duration.ofSeconds(30),
                                    true,
                                    null,
                                    Duration.ZERO,
                                    null,
                                    0),
                            "jdbc",
                            b));
                    close.add(e);
                    close.add(b);
                    close.add(p);
                }
                var stop = new AtomicBoolean();
                var released = new AtomicLong();
                var lastOwner = new AtomicInteger(-1);
                var gaps = Collections.synchronizedList(new ArrayList<Long>());
                var n = new AtomicInteger();
                var mon = java.sql.DriverManager.getConnection(url);
                List<Thread> ts = new ArrayList<>();
                for (int i = 0; i < 9; i++) {
                    int me = i;
                    Thread t = new Thread(() -> {
                        try {
                            while (!stop.get()) {
                                try (var h = ls.get(me % 2).lock("k")) {
                                    long now = System.nanoTime();
                                    n.incrementAndGet();
                                    int o = lastOwner.getAndSet(me % 2);
                                    if (o >= 0 && o != me % 2) gaps.add(now - released.get());
                                    if (section > 1) Thread.sleep(section);
                                    else {
                                        long end = System.nanoTime() + 1000000;
                                        while (System.nanoTime() < end) Thread.onSpinWait();
                                    }
                                    released.set(System.nanoTime());
                                }
                            }
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    });
                    t.start();
                    ts.add(t);
                }
                Thread.sleep(1000);
                gaps.clear();
                int n0 = n.get();
                long x0 = xacts(mon), s = System.nanoTime();
                Thread.sleep(6000);
                double sec = (System.nanoTime() - s) / 1e9;
                Thread.sleep(1100);
                long x1 = xacts(mon);
                var g = new ArrayList<>(gaps);
                int n1 = n.get();
                stop.set(true);
                for (var t : ts) t.join();
                Collections.sort(g);
                System.out.printf(
                        "hint %d ms, section %d ms: %.0f locks/s, cross gaps %d p50 %.1f ms p99 %.1f ms, statements/s %.0f%n",
                        hint,
                        section,
                        (n1 - n0) / (sec + 1.1),
                        g.size(),
                        g.isEmpty() ? 0 : g.get(g.size() / 2) / 1e6,
                        g.isEmpty() ? 0 : g.get(g.size() * 99 / 100) / 1e6,
                        (x1 - x0) / (sec + 1.1));
                for (var x : close) x.close();
                mon.close();
            }
        System.exit(0);
    }

    static long xacts(java.sql.Connection c) throws Exception {
        try (var s = c.createStatement();
                var r = s.executeQuery(
                        "SELECT xact_commit+xact_rollback FROM pg_stat_database WHERE datname='postgres'")) {
            r.next();
            return r.getLong(1);
        }
    }
}
