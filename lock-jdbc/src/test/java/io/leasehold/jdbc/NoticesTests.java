package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The connection on which releases are heard is there while somebody waits, and goes back as it came. */
class NoticesTests {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private final AtomicInteger opened = new AtomicInteger();

    @Test
    void itIsGivenBackWhenNobodyHasWaitedForAWhile() throws SQLException {
        try (Connection connection = database.getConnection();
                Lane lane = lane();
                Notices notices = new Notices(true, () -> open(connection), lane, clock::get, (lock, fence) -> {})) {
            assertThat(notices.hears()).isFalse();
            notices.want();
            await().until(notices::hears);
            clock.addAndGet(Duration.ofSeconds(29).toNanos());
            notices.want();
            clock.addAndGet(Duration.ofSeconds(2).toNanos());
            notices.want();
            await().until(notices::hears);
            assertThat(opened).hasValue(1);

            clock.addAndGet(Duration.ofSeconds(31).toNanos());
            await().until(() -> !listens(connection));
            await().until(() -> !notices.hears());

            notices.want();
            await().until(notices::hears);
            assertThat(opened).hasValue(2);
        }
    }

    @Test
    void whereNoConnectionIsToBeHadItIsTriedAgainLater() throws SQLException {
        try (Lane lane = lane();
                Notices notices = new Notices(true, this::fail, lane, clock::get, (lock, fence) -> {})) {
            notices.want();
            await().untilAtomic(opened, is(1));
            clock.addAndGet(Duration.ofSeconds(4).toNanos());
            notices.want();
            assertThat(opened).hasValue(1);
            for (int attempt = 2; attempt <= 3; attempt++) {
                clock.addAndGet(Duration.ofSeconds(6).toNanos());
                int reached = attempt;
                await().until(() -> {
                    notices.want();
                    return opened.get() == reached;
                });
            }
            assertThat(notices.hears()).isFalse();
        }
    }

    @Test
    void aReleaseIsHeardWithTheTokenOfTheGrantThatEnded() throws SQLException {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Connection connection = database.getConnection();
                Lane lane = lane();
                Notices notices = new Notices(
                        true,
                        () -> open(connection),
                        lane,
                        clock::get,
                        (lock, fence) -> heard.add(lock + "=" + fence));
                Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            notices.want();
            await().until(notices::hears);
            statement.execute("NOTIFY leasehold, 'from somebody else'");
            statement.execute("NOTIFY leasehold, '1790000000000000 orders:a key'");
            await().untilAsserted(() -> assertThat(heard).contains("orders:a key=1790000000000000"));
            assertThat(heard).noneMatch(message -> message.contains("somebody"));
        }
    }

    private Session open(Connection connection) throws SQLException {
        opened.incrementAndGet();
        return Session.borrow(new UnclosedDataSource(connection), PATIENCE, PATIENCE);
    }

    private Session fail() throws SQLException {
        if (opened.incrementAndGet() > 1) {
            throw new IllegalStateException("the pool is closed");
        }
        throw new SQLException("all are in use", "08001");
    }

    private Lane lane() {
        SqlFailures failures = new SqlFailures(Schema.ofLeases("lock_lease"));
        Sessions sessions = new Sessions(database, PATIENCE, PATIENCE);
        return new Lane("notices-test", 1, sessions, failures, new Lane.Limits(PATIENCE, PATIENCE), System::nanoTime);
    }

    private static boolean listens(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet channels = statement.executeQuery("SELECT pg_listening_channels()")) {
            return channels.next();
        }
    }
}
