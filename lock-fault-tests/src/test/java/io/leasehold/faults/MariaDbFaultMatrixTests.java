package io.leasehold.faults;

import io.leasehold.servers.database.MariaDbServer;

/** A lease table in MariaDB. */
class MariaDbFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.leaseTable("jdbc-mariadb", MariaDbServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.leaseTable("jdbc-mariadb", MariaDbServer.start(), true);
    }
}
