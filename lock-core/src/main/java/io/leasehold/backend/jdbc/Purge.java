package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

/** Removes rows that nobody has needed for a while, in small transactions. */
final class Purge {

    private static final int BATCH = 500;

    private final long retentionMicros;

    private final Function<Session, LeaseTable> table;

    Purge(Duration retention, Function<Session, LeaseTable> table) {
        this.retentionMicros = LeaseRequest.micros(retention);
        this.table = table;
    }

    int run(Session session) throws SQLException {
        int removed = 0;
        int batch;
        do {
            batch = table.apply(session).purge(session, retentionMicros, BATCH);
            removed += batch;
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return removed;
    }
}
