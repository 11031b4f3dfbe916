package io.leasehold.faults;

import io.leasehold.servers.database.PostgresServer;
import java.util.Map;

/** Row locks in PostgreSQL. */
class PostgresRowFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.rowLock("row-lock-postgres", PostgresServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.rowLock("row-lock-postgres", PostgresServer.start(Map.of()), true);
    }
}
