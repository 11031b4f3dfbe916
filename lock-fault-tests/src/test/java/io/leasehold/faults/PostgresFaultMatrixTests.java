package io.leasehold.faults;

import io.leasehold.servers.database.PostgresServer;
import java.util.Map;

/** A lease table in PostgreSQL. */
class PostgresFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.leaseTable("jdbc-postgres", PostgresServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.leaseTable("jdbc-postgres", PostgresServer.start(Map.of()), true);
    }
}
