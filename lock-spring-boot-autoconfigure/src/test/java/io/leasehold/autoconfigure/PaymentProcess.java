package io.leasehold.autoconfigure;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application whose transaction hangs under a lock: it pays, and commits only when another process has paid. It
 * prints a line for each event, with times by {@link System#nanoTime()}, and is the main class of a process of its own.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    LockAutoConfiguration.class
})
public class PaymentProcess {

    static final String KEY = "payment";

    /** The property with the name of the table of payments. */
    static final String TABLE = "payments.table";

    /** Followed by the fencing token, a time at which the lock was held, and the id of the thread that holds it. */
    static final String HOLDS = "holds ";

    /** Followed by the reason, the last time at which the lock was held, and the time of the notification. */
    static final String LOST = "lost ";

    static final String COMMITTED = "committed";

    /** Followed by the message. */
    static final String REFUSED = "refused: ";

    private static final long PACE_NANOS = 1_000_000;

    public static void main(String[] args) {
        ApplicationContext context = SpringApplication.run(PaymentProcess.class, args);
        Locker locker = context.getBean(Locker.class);
        JdbcClient client = JdbcClient.create(context.getBean(DataSource.class));
        String table = context.getEnvironment().getRequiredProperty(TABLE);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        try {
            transaction.executeWithoutResult(status -> {
                LockHandle handle = locker.lock(KEY);
                pay(client, table, "first");
                awaitLoss(handle);
                awaitPayment(client, table);
            });
            say(COMMITTED);
        } catch (LockLostException ex) {
            say(REFUSED + ex.getMessage());
        }
    }

    static void pay(JdbcClient client, String table, String payer) {
        client.sql("INSERT INTO " + table + " (payer) VALUES (?)").param(payer).update();
    }

    private static void awaitLoss(LockHandle handle) {
        CompletableFuture<String> told = new CompletableFuture<>();
        handle.onLost(reason -> told.complete(toldNow(reason)));
        long held = System.nanoTime();
        say(HOLDS + handle.fencingToken() + " " + held + " "
                + Thread.currentThread().getId());
        while (!told.isDone()) {
            long now = System.nanoTime();
            held = handle.isHeld() ? now : held;
            LockSupport.parkNanos(PACE_NANOS);
        }
        String[] reasonAndTime = told.join().split(" ");
        say(LOST + reasonAndTime[0] + " " + held + " " + reasonAndTime[1]);
    }

    private static String toldNow(LossReason reason) {
        return reason + " " + System.nanoTime();
    }

    private static void awaitPayment(JdbcClient client, String table) {
        while (client.sql("SELECT COUNT(*) FROM " + table + " WHERE payer <> 'first'")
                        .query(Integer.class)
                        .single()
                == 0) {
            LockSupport.parkNanos(10 * PACE_NANOS);
        }
    }

    private static void say(String event) {
        System.out.println(event);
    }
}
