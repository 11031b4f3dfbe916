package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.testsupport.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row admits the newest holder and rejects older ones, on every database. */
class FencedGuardTests {

    private static final int HOLDERS = 24;

    private final FencedGuard guard = new FencedGuard("guarded", "id", "fence");

    @ParameterizedTest
    @EnumSource
    void theNewestHolderEntersAgainAndAgain(GuardedDatabase database) throws SQLException {
        database.prepare();
        write(database, 7, 70);
        write(database, 7, 71);
        write(database, 8, 80);
        assertThat(database.query("SELECT amount FROM guarded")).containsExactly(80L);
        assertThat(database.query("SELECT fence FROM guarded")).containsExactly(8L);
    }

    @ParameterizedTest
    @EnumSource
    void anOlderHolderIsRefusedAndChangesNothing(GuardedDatabase database) throws SQLException {
        database.prepare();
        write(database, 8, 80);
        assertThatExceptionOfType(StaleFencingTokenException.class)
                .isThrownBy(() -> write(database, 7, 70))
                .withMessage(
                        "row 'it' of table 'guarded' refused fencing token 7: it has seen 8, so a later holder of the"
                                + " lock was there already")
                .satisfies(refusal -> {
                    assertThat(refusal.resource()).isEqualTo("row 'it' of table 'guarded'");
                    assertThat(refusal.fencingToken()).isEqualTo(7);
                    assertThat(refusal.newest()).isEqualTo(8);
                });
        assertThat(database.query("SELECT amount FROM guarded")).containsExactly(80L);
        assertThat(database.query("SELECT fence FROM guarded")).containsExactly(8L);
    }

    @ParameterizedTest
    @EnumSource
    void anEntryThatIsRolledBackIsForgotten(GuardedDatabase database) throws SQLException {
        database.prepare();
        try (Connection transaction = database.begin()) {
            guard.enter(transaction, "it", 8);
            transaction.rollback();
        }
        write(database, 7, 70);
        assertThat(database.query("SELECT fence FROM guarded")).containsExactly(7L);
    }

    @ParameterizedTest
    @EnumSource
    void aNewerHolderWaitsForAnOlderOneThatIsInside(GuardedDatabase database) throws Exception {
        database.prepare();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Connection older = database.begin()) {
            guard.enter(older, "it", 7);
            CountDownLatch begun = new CountDownLatch(1);
            Future<Long> newer = threads.submit(() -> {
                try (Connection transaction = database.begin()) {
                    begun.countDown();
                    guard.enter(transaction, "it", 8);
                    long seen = GuardedDatabase.query(transaction, "SELECT amount FROM guarded")
                            .get(0);
                    transaction.commit();
                    return seen;
                }
            });
            begun.await();
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> newer.get(300, TimeUnit.MILLISECONDS));
            set(older, 7, 70);
            older.commit();
            assertThat(newer.get(30, TimeUnit.SECONDS)).isEqualTo(70L);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void inAnyOrderTheTokenNeverDecreasesAndNoWriteIsLost(GuardedDatabase database) throws Exception {
        database.prepare();
        List<Long> tokens =
                new ArrayList<>(LongStream.rangeClosed(1, HOLDERS).boxed().toList());
        Collections.shuffle(tokens, Seeds.random("the order of the holders"));
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (long token : tokens) {
                ends.add(threads.submit(() -> {
                    try (Connection transaction = database.begin()) {
                        guard.enter(transaction, "it", token);
                        long amount = GuardedDatabase.query(transaction, "SELECT amount FROM guarded")
                                        .get(0)
                                + 1;
                        set(transaction, token, amount);
                        transaction.commit();
                        accepted.incrementAndGet();
                    } catch (StaleFencingTokenException tooLate) {
                        refused.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(40, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(accepted.get() + refused.get()).isEqualTo(HOLDERS);
        assertThat(database.query("SELECT amount FROM guarded")).containsExactly((long) accepted.get());
        assertThat(database.query("SELECT fence FROM guarded")).containsExactly((long) HOLDERS);
        assertThat(database.query("SELECT fence FROM guarded_writes ORDER BY amount"))
                .hasSize(accepted.get())
                .isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void aMissingRowIsAnError(GuardedDatabase database) throws SQLException {
        database.prepare();
        try (Connection transaction = database.begin()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> guard.enter(transaction, "other", 7))
                    .withMessage("row 'other' of table 'guarded' is not there, so there is nothing to guard");
        }
    }

    /** A row that is added later has not seen the holders of the others. */
    @ParameterizedTest
    @EnumSource
    void aKeyOfSeveralRowsAdmitsNoHolder(GuardedDatabase database) throws SQLException {
        for (String fences : List.of("NULL, NULL", "7, 7", "10, 10")) {
            database.prepareRows(fences.split(", "));
            for (int token : new int[] {7, 11}) {
                try (Connection transaction = database.begin()) {
                    assertThatIllegalArgumentException()
                            .as("token %d, rows with %s", token, fences)
                            .isThrownBy(() ->
                                    new FencedGuard("guarded_rows", "id", "fence").enter(transaction, "it", token))
                            .withMessageStartingWith("several rows of table 'guarded_rows' have the key 'it'");
                    transaction.rollback();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void withoutATransactionNothingIsGuarded(GuardedDatabase database) throws SQLException {
        database.prepare();
        try (Connection connection = database.connect()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> guard.enter(connection, "it", 7))
                    .withMessageContaining("begin a transaction first");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;b", "a'b", "1a", "ä"})
    void invalidNamesAreRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FencedGuard(name, "id", "fence"))
                .withMessage("'table' must be a name of letters, digits and '_': '" + name + "'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FencedGuard("shop.guarded", name, "fence"))
                .withMessageStartingWith("'keyColumn'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FencedGuard("guarded", "id", name))
                .withMessageStartingWith("'fenceColumn'");
    }

    private void write(GuardedDatabase database, long token, long amount) throws SQLException {
        try (Connection transaction = database.begin()) {
            guard.enter(transaction, "it", token);
            set(transaction, token, amount);
            transaction.commit();
        }
    }

    private static void set(Connection transaction, long token, long amount) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.executeUpdate("UPDATE guarded SET amount = " + amount + " WHERE id = 'it'");
            statement.executeUpdate(
                    "INSERT INTO guarded_writes (amount, fence) VALUES (" + amount + ", " + token + ")");
        }
    }
}
