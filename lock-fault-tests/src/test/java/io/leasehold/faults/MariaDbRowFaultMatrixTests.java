package io.leasehold.faults;

import io.leasehold.servers.database.MariaDbServer;

/** Row locks in MariaDB. */
class MariaDbRowFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.rowLock("row-lock-mariadb", MariaDbServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.rowLock("row-lock-mariadb", MariaDbServer.start(), true);
    }
}
