package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes the operations of a backend on the lease table, and converts the table's rows to answers. */
public final class LeaseOperations {

    private static final int ATTEMPTS = 20;

    private static final Duration LEAST_REMAINING = Duration.ofMillis(1);

    private final String name;

    private final @Nullable HandoffGracePeriod gracePeriod;

    // Two threads may both create it; the instances are interchangeable. The same holds for the renewal.
    private volatile @Nullable LeaseTable table;

    private volatile @Nullable BatchRenewal renewal;

    private volatile boolean hasKey;

    public LeaseOperations(String name, @Nullable HandoffGracePeriod gracePeriod) {
        this.name = name;
        this.gracePeriod = gracePeriod;
    }

    /** The table in the dialect of the connection's database. */
    public LeaseTable table(LockConnection session) {
        LeaseTable known = table;
        if (known == null) {
            known = tableIn(session.dialect());
            table = known;
        }
        return known;
    }

    /**
     * Creates the table in a dialect. A grace period gives waiters of other processes precedence after a release; it is
     * missing for a table that callers do not wait for.
     */
    private LeaseTable tableIn(DatabaseDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL ->
                gracePeriod == null ? new PostgresLeaseTable(name) : new PostgresNotifyingLeaseTable(name, gracePeriod);
            case MARIADB -> new MariaDbLeaseTable(name);
            case MYSQL -> new MySqlLeaseTable(name);
            case H2 -> new H2LeaseTable(name);
        };
    }

    /** Fails if the table cannot be read and written; changes nothing. */
    public boolean check(LockConnection session) throws SQLException {
        table(session).read(session, new byte[32]);
        table(session).tryToWrite(session);
        return true;
    }

    /** Renews leases and returns an answer for each command, in the same order. */
    public List<RenewAnswer> renew(LockConnection session, List<RenewCommand> commands) throws SQLException {
        BatchRenewal known = renewal;
        if (known == null) {
            LeaseTable leases = table(session);
            leases.prepareRenewals(session);
            known = new BatchRenewal(leases);
            renewal = known;
        }
        try {
            return known.renew(session, commands);
        } catch (SQLException ex) {
            if (SqlError.classify(ex, session.dialect()) == SqlError.REFUSED) {
                // prepared again by the next renewal: the table may have been changed
                renewal = null;
            }
            throw ex;
        }
    }

    /**
     * Tries to acquire a lock and returns its row afterwards. Fails if the table may have several rows for one lock; the
     * database is not asked again after the first row.
     */
    public LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException {
        if (!hasKey) {
            UniqueKey.require(session, name);
        }
        LeaseTable leases = table(session);
        for (int i = 0; i < ATTEMPTS; i++) {
            LeaseRow row = leases.acquire(session, request);
            if (row != null) {
                hasKey = true;
                if (row.isAhead() && !row.isHeldBy(request.token())) {
                    leases.restart(session, request.key());
                }
                return row;
            }
        }
        throw new SQLTransientException(
                "the row of " + request.name() + " changed each time it was looked at", "40001");
    }

    public AcquireAnswer answer(LeaseRequest request, LeaseRow row) {
        return row.token().equals(request.token())
                ? new Granted(row.fence(), row.remaining())
                : new Busy(remaining(row));
    }

    /**
     * The outcome of an acquisition that was not answered; empty if the row does not show it. A row that shows the token
     * is renewed, since a session that ended while it waited for a standby has made the row visible on the primary only. The
     * renewal is answered when the standby has both commits.
     */
    public Optional<AcquireAnswer> granted(LockConnection session, LeaseRequest request) throws SQLException {
        boolean isHeld = table(session)
                .read(session, request.key())
                .filter(row -> row.isHeldBy(request.token()))
                .isPresent();
        return isHeld ? Optional.of(answer(request, acquire(session, request))) : Optional.empty();
    }

    public ReleaseAnswer release(LockConnection session, ReleaseCommand command) throws SQLException {
        byte[] key = KeyHash.of(command.id());
        String token = command.token().value();
        LeaseTable leases = table(session);
        boolean released = leases.release(session, key, token, command.retainFor())
                || leases.release(session, key, LeaseTable.revoked(token), command.retainFor());
        return released ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
    }

    /** The outcome of a release that was not answered; empty if the row does not show it. */
    public Optional<ReleaseAnswer> released(LockConnection session, ReleaseCommand command) throws SQLException {
        String released = LeaseTable.released(command.token().value());
        return table(session)
                .read(session, KeyHash.of(command.id()))
                .filter(row -> row.token().equals(released))
                .map(row -> ReleaseAnswer.RELEASED);
    }

    static Duration remaining(LeaseRow row) {
        Duration remaining = row.remaining();
        return remaining.compareTo(LEAST_REMAINING) < 0 ? LEAST_REMAINING : remaining;
    }
}
