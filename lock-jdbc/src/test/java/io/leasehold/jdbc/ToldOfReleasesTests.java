package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.jdbc.table.PostgresNotifyingLeaseTable;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** PostgreSQL notifies waiters in other processes of a release, and sends no notification without waiters. */
class ToldOfReleasesTests {

    private static final JdbcLockOptions NEVER_LOOKING = new JdbcLockOptions().withPollInterval(Duration.ofHours(1));

    private static final String MARKED = "SELECT COUNT(*) FROM lock_lease WHERE told_below > fence AND lock_key = '%s'";

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final String application = "told-" + UUID.randomUUID();

    private final UrlDataSource waitersDatabase = new UrlDataSource(database.url() + "&ApplicationName=" + application);

    private final String namespace = "t-" + UUID.randomUUID();

    private final List<JdbcLockBackend> backends = new ArrayList<>();

    private final AtomicLong ahead = new AtomicLong();

    private StoreClient holder;

    @BeforeEach
    void createTheTable() {
        JdbcLockBackend backend = TestDatabase.POSTGRESQL.backend();
        backends.add(backend);
        holder = new StoreClient(backend, namespace);
    }

    @AfterEach
    void close() {
        backends.forEach(JdbcLockBackend::close);
    }

    @Test
    void aReleaseWakesAWaiter() {
        StoreClient waiting = waiting(waitersDatabase, NEVER_LOOKING);
        Held held = holder.grant("a");
        Waiter waiter = waitUntilMarked(waiting, held.id());

        holder.release(held);
        await().until(() -> waiter.busy().wakeup().isDone());
        waiting.grant("a");
    }

    @Test
    void aReleaseThatRetainsTheLockNotifiesAsWell() {
        StoreClient waiting = waiting(waitersDatabase, NEVER_LOOKING);
        Held held = holder.grant("a");
        Waiter waiter = waitUntilMarked(waiting, held.id());

        holder.release(held, Duration.ofSeconds(7));
        await().until(() -> waiter.busy().wakeup().isDone());
        assertThat(waiting.busy(held.id()).remaining()).isLessThan(Duration.ofSeconds(8));
    }

    /** PostgreSQL then rolls each statement back that notifies. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLockIsReleasedWhileTheQueueOfNotificationsIsFull(int retainedMillis) {
        Held held = holder.grant("a");
        StoreClient waiting = waiting(waitersDatabase, NEVER_LOOKING);
        waitUntilMarked(waiting, held.id());
        HinderedDataSource full = new HinderedDataSource(database);
        full.hinder("pg_notify(", Integer.MAX_VALUE, connection -> {
            throw new SQLException("too many notifications in the NOTIFY queue", "54000");
        });

        assertThat(waiting(full, NEVER_LOOKING).release(held, Duration.ofMillis(retainedMillis)))
                .isEqualTo(ReleaseAnswer.RELEASED);

        assertThat(full.hindered()).isEqualTo(1);
        await().untilAsserted(() -> waiting.grant("a"));
    }

    @Test
    void withoutWaitersNoNotificationIsSent() throws SQLException {
        try (Connection ears = listening()) {
            Held unwanted = holder.grant("unwanted");
            holder.busy(unwanted.id());
            holder.release(unwanted);
            Held wanted = holder.grant("wanted");
            waitUntilMarked(waiting(waitersDatabase, NEVER_LOOKING), wanted.id());
            holder.release(wanted);

            assertThat(heardUntil(ears, message(wanted))).doesNotContain(message(unwanted));
        }
    }

    @Test
    void behindAPoolerThatDropsTheSessionWaitersArePolled() throws SQLException {
        try (Connection ears = listening()) {
            StoreClient waiting = waiting(
                    new AnsweringDataSource(
                            waitersDatabase, "LISTEN " + PostgresNotifyingLeaseTable.CHANNEL, "SELECT 1"),
                    new JdbcLockOptions());
            Held held = holder.grant("a");
            Waiter first = waiting.waitFor(held.id());
            heardUntil(ears, "");
            waiting.giveUp(first);

            Waiter second = waiting.waitFor(held.id());
            assertThat(database.query(MARKED.formatted(held.id()))).isZero();
            holder.release(held);
            await().until(() -> second.busy().wakeup().isDone());
        }
    }

    @Test
    void aConnectionThatEndsIsReplacedAfterAWhile() {
        StoreClient waiting = waiting(waitersDatabase, new JdbcLockOptions());
        Held held = holder.grant("a");
        waiting.giveUp(waitUntilMarked(waiting, held.id()));

        database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
                + application + "' AND (query = 'LISTEN " + PostgresNotifyingLeaseTable.CHANNEL + "' OR query = '')");
        Waiter told = waiting.waitFor(held.id());
        holder.release(held);
        await().until(() -> told.busy().wakeup().isDone());

        ahead.set(Duration.ofSeconds(10).toNanos());
        waitUntilMarked(waiting, holder.grant("b").id());
    }

    @Test
    void itCanBeSwitchedOff() {
        StoreClient waiting = waiting(waitersDatabase, new JdbcLockOptions().withListenNotify(false));
        Held held = holder.grant("a");
        Waiter waiter = waiting.waitFor(held.id());
        holder.release(held);
        await().until(() -> waiter.busy().wakeup().isDone());
        assertThat(database.query("SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = '" + application
                        + "' AND query LIKE 'LISTEN%'"))
                .isZero();
    }

    private StoreClient waiting(PlainDataSource dataSource, JdbcLockOptions options) {
        JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(dataSource, options, () -> System.nanoTime() + ahead.get());
        backends.add(backend);
        return new StoreClient(backend, namespace);
    }

    /**
     * Waits until the waiter is marked. The first waiter opens the connection; once it listens, further attempts are
     * marked.
     */
    private Waiter waitUntilMarked(StoreClient waiting, LockId id) {
        return await().pollInSameThread().until(() -> waiting.waitFor(id), waiter -> {
            boolean marked = database.query(MARKED.formatted(id)) > 0;
            if (!marked) {
                waiting.giveUp(waiter);
            }
            return marked;
        });
    }

    private Connection listening() throws SQLException {
        Connection connection = database.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + PostgresNotifyingLeaseTable.CHANNEL);
        }
        return connection;
    }

    private static List<String> heardUntil(Connection connection, String last) throws SQLException {
        PGConnection ears = connection.unwrap(PGConnection.class);
        List<String> heard = new ArrayList<>();
        await().pollInSameThread().until(() -> {
            for (PGNotification message : ears.getNotifications(100)) {
                heard.add(lock(message.getParameter()));
            }
            return heard.contains(last);
        });
        return heard;
    }

    /** A notification consists of the fencing token and the hash of the key. */
    private static String lock(String message) {
        return message.substring(message.indexOf(' ') + 1);
    }

    private static String message(Held held) {
        return HexFormat.of().formatHex(KeyHash.of(held.id()));
    }
}
