package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.MultiPrimaryCluster;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;

/** Refuses clusters whose nodes do not share row locks. The database is not asked again after it has passed. */
final class SingleServerCheck {

    private volatile boolean passed;

    void requireSingleServer(LockConnection session) throws SQLException {
        if (passed) {
            return;
        }
        MultiPrimaryCluster cluster = MultiPrimaryCluster.of(session).orElse(null);
        if (cluster != null) {
            throw new BackendFailure(
                    Effect.REFUSED,
                    cluster.description()
                            + " has row locks on each node for itself, which do not exclude holders on other nodes; use the"
                            + " lease table",
                    null);
        }
        passed = true;
    }
}
