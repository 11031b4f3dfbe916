package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F50: a caller's transaction does not affect a lock, even if its data source binds connections to threads. */
class CallersTransactionTests {

    private final ThreadLocal<Connection> bound = new ThreadLocal<>();

    @AfterEach
    void unbind() throws SQLException {
        bound.get().close();
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aRollbackFreesNoLockAndRevertsNoRelease(TestDatabase database) throws SQLException {
        BoundDataSource dataSource = new BoundDataSource(database.dataSource(), bound);
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(dataSource, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Connection transaction = database.dataSource().getConnection();
            transaction.setAutoCommit(false);
            bound.set(transaction);
            try (Statement statement = transaction.createStatement()) {
                statement.executeQuery("SELECT COUNT(*) FROM lock_lease").close();
            }

            Held held = client.grant("a");
            transaction.rollback();
            client.busy(held.id());

            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            transaction.rollback();
            client.grant("a");
        }
    }
}
