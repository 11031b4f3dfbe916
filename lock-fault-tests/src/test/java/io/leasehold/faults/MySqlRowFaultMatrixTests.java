package io.leasehold.faults;

import io.leasehold.servers.database.MySqlServer;
import org.junit.jupiter.api.Tag;

/** Row locks in MySQL's own server. */
@Tag("docker")
class MySqlRowFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return DatabaseStore.rowLock("row-lock-mysql", MySqlServer.shared(), false);
    }

    @Override
    BreakableStore ownStore() {
        return DatabaseStore.rowLock("row-lock-mysql", MySqlServer.start(), true);
    }
}
