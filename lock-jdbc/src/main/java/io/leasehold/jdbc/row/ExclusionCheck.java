package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.MultiPrimaryCluster;
import io.leasehold.jdbc.connection.StorageEngine;
import io.leasehold.jdbc.table.UniqueKey;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses clusters whose nodes do not share row locks, tables whose storage engine has none, and drivers that replay a
 * transaction whose connection has ended. A replay repeats the statement that locked the row, regardless of its result,
 * while another process may hold the lock. The database is not asked again after the check has passed for a table.
 */
final class ExclusionCheck {

    private static final String REPLAY = "transactionReplay=true";

    private final Set<String> passed = ConcurrentHashMap.newKeySet();

    /** Also refuses a table of locks that may have several rows for one lock, which two processes would lock. */
    void requireExclusionByKey(LockConnection session, String table) throws SQLException {
        if (!passed.contains(table)) {
            UniqueKey.require(session, table);
            requireExclusion(session, table);
        }
    }

    void requireExclusion(LockConnection session, String table) throws SQLException {
        if (passed.contains(table)) {
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
        String engine = StorageEngine.withoutTransactions(session, table).orElse(null);
        if (engine != null) {
            throw new BackendFailure(
                    Effect.REFUSED,
                    "table '" + table + "' has the storage engine " + engine
                            + ", which has no row locks; run: ALTER TABLE " + table + " ENGINE = InnoDB",
                    null);
        }
        String url = session.connection().getMetaData().getURL();
        if (url != null && url.contains(REPLAY)) {
            throw new BackendFailure(
                    Effect.REFUSED,
                    "the driver replays the transaction that holds a row lock after its connection has ended, when another"
                            + " process may hold the lock; remove '" + REPLAY
                            + "' from the URL or the properties of the data source, or use the lease table",
                    null);
        }
        passed.add(table);
    }
}
