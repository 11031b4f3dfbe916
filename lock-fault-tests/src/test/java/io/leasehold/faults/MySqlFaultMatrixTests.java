package io.leasehold.faults;

import io.leasehold.servers.database.MySqlServer;
import org.junit.jupiter.api.Tag;

/** A lease table in MySQL's own server. */
@Tag("docker")
class MySqlFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.leaseTable("jdbc-mysql", MySqlServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.leaseTable("jdbc-mysql", MySqlServer.start(), true);
    }
}
