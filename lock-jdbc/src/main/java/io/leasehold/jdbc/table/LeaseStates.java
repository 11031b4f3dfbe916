package io.leasehold.jdbc.table;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.spi.LockId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the states of locks for people. The statements lock no row and change nothing. */
public final class LeaseStates {

    /** Less than the engine waits for a listing. */
    private static final Duration LONGEST_LISTING = Duration.ofSeconds(8);

    private static final String COLUMNS = "token, holder, fence, fences, {remaining}, {now}";

    /** A token, whose first digit is another character once its lease was released or revoked. */
    private static final Pattern TOKEN = Pattern.compile("[-!0-9a-f][0-9a-f]{31}");

    /** A fence below the time of September 2001 did not start at the server's clock. */
    private static final long LEAST_BY_CLOCK = 1_000_000_000_000_000L;

    private final LeaseOperations leases;

    public LeaseStates(LeaseOperations leases) {
        this.leases = leases;
    }

    public LockState describe(LockConnection session, LockId id) throws SQLException {
        PreparedStatement read =
                session.prepare(leases.table(session).sql("SELECT " + COLUMNS + " FROM {table} WHERE key_hash = ?"));
        read.setBytes(1, KeyHash.of(id));
        try (ResultSet rows = read.executeQuery()) {
            return rows.next() ? state(rows, 1) : new LockState.Free();
        }
    }

    /**
     * The held locks of a namespace. The database compares {@code lock_key} by its collation, perhaps regardless of
     * case, and therefore may return rows of other namespaces, which are left out. The table has no index on that
     * column, so a large table is read until enough locks are found.
     */
    public LockListing list(LockConnection session, String namespace, int limit) throws SQLException {
        return list(session, namespace, limit, "");
    }

    /** The held locks of a namespace that meet a further condition, which starts with {@code AND}. */
    public LockListing list(LockConnection session, String namespace, int limit, String condition) throws SQLException {
        // a scan of a large table sends nothing before it has ended
        session.waitForAnswers(LONGEST_LISTING);
        try {
            return read(session, namespace, limit, condition);
        } finally {
            session.waitForAnswersAsUsual();
        }
    }

    private LockListing read(LockConnection session, String namespace, int limit, String condition)
            throws SQLException {
        String prefix = namespace + ":";
        LeaseTable table = leases.table(session);
        PreparedStatement read = session.prepare(table.sql("SELECT lock_key, " + COLUMNS
                + " FROM {table} WHERE lock_key LIKE ? ESCAPE '!' AND expires_at > {now}" + condition
                + table.firstRows()));
        read.setString(1, prefix.replace("_", "!_") + "%");
        read.setInt(2, limit + 1);
        List<LockListing.Entry> found = new ArrayList<>();
        int rowsRead = 0;
        try (ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                rowsRead++;
                String encoded = rows.getString(1);
                if (encoded.startsWith(prefix) && state(rows, 2) instanceof Held held) {
                    found.add(new LockListing.Entry(LockId.key(encoded), held));
                }
            }
        }
        LockListing listing = LockListing.of(found, limit);
        return rowsRead > limit && listing.incomplete() == null
                ? new LockListing(listing.locks(), "more than " + limit + " rows match the namespace")
                : listing;
    }

    /** The state of the row whose {@link #COLUMNS} start at an index. */
    private static LockState state(ResultSet row, int first) throws SQLException {
        String token = row.getString(first);
        long fence = row.getLong(first + 2);
        long remainingMicros = row.getLong(first + 4);
        if (remainingMicros <= 0) {
            return new LockState.Free();
        }
        Kind kind = kind(token);
        boolean isForeign = kind == Kind.FOREIGN;
        return new Held(
                kind,
                isForeign ? null : row.getString(first + 1),
                isForeign ? null : since(fence, row.getLong(first + 5)),
                Duration.of(remainingMicros, ChronoUnit.MICROS),
                isForeign ? OptionalLong.empty() : OptionalLong.of(fence + row.getInt(first + 3) - 1),
                OptionalInt.empty());
    }

    static Kind kind(String token) {
        if (!TOKEN.matcher(token).matches()) {
            return Kind.FOREIGN;
        }
        return switch (token.charAt(0)) {
            case '-' -> Kind.RELEASED;
            case '!' -> Kind.REVOKED;
            default -> Kind.HOLDER;
        };
    }

    /** The time of the grant: its fence is the server's time, unless the clock was set back. */
    private static @Nullable Instant since(long fence, long nowMicros) {
        return fence >= LEAST_BY_CLOCK && fence <= nowMicros ? Instant.EPOCH.plus(fence, ChronoUnit.MICROS) : null;
    }
}
