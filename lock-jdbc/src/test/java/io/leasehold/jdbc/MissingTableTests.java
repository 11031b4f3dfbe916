package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F49: a missing table is an error whose message says how to create it, and never a busy lock. */
class MissingTableTests {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withTable("lock_gone");

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void locksAreRefusedWhileTheTableIsMissing(TestDatabase database) {
        database.dataSource().execute("DROP TABLE IF EXISTS lock_gone");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database.dataSource(), OPTIONS, System::nanoTime)) {
            assertThatThrownBy(backend::requireSchema)
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining("Create table 'lock_gone' with the script '")
                    .hasMessageContaining("'lock.jdbc.initialize-schema'");
            assertRefused(backend);
            assertThat(StoreClient.await(backend.inspect()))
                    .anySatisfy(
                            finding -> assertThat(finding.nextStep()).contains("CREATE TABLE IF NOT EXISTS lock_gone"));

            backend.initializeSchema();
            backend.requireSchema();
            TestDatabase.client(backend).grant("a");

            database.dataSource().execute("DROP TABLE lock_gone");
            assertRefused(backend);

            backend.initializeSchema();
            TestDatabase.client(backend).grant("a");
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void rowLocksNeedBothOfTheirTables(TestDatabase database) {
        RowLockOptions options = new RowLockOptions().withTable("row_gone");
        for (String missing : List.of("row_gone", "row_gone_fence")) {
            try (RowLockBackend backend =
                    RowLockBackend.withOwnPool(database.dataSource(), options, System::nanoTime)) {
                backend.initializeSchema();
                backend.requireSchema();
                database.dataSource().execute("DROP TABLE " + missing);
                assertThatThrownBy(backend::requireSchema)
                        .isInstanceOf(BackendFailure.class)
                        .hasMessageContaining("Create table 'row_gone' with the script 'schema-row-")
                        .hasMessageContaining("'lock.row-lock.initialize-schema'")
                        .message()
                        .containsIgnoringCase(missing);
            }
        }
    }

    /** Creating the table again does not help, in contrast to a database that is down. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aMissingSchemaIsARefusal(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withTable("no_such_schema.lock_lease");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database.dataSource(), options, System::nanoTime)) {
            assertThatThrownBy(backend::initializeSchema)
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                    .message()
                    .containsIgnoringCase("no_such_schema");
        }
    }

    private static void assertRefused(JdbcLockBackend backend) {
        StoreClient client = TestDatabase.client(backend);
        AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
        assertThatThrownBy(() -> backend.acquire(command).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                .hasMessageContaining("Create table 'lock_gone' with the script '")
                .hasMessageNotContainingAny("MERGE", "SELECT", "INSERT");
    }
}
