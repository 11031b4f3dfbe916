package io.leasehold.jdbc.row;

import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.PostgresServer;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;

/** Row locks in PostgreSQL. */
class PostgresRowLockBackendTests extends RowLockContract {

    @BeforeAll
    static void open() {
        open(new UrlDataSource(PostgresServer.shared().url()));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.HOLDERS, Capability.LISTING);
    }
}
