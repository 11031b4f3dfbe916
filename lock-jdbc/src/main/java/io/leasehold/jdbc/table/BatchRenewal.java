package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.IdleTransactionLimit;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.connection.SqlRunner;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Renews leases, with one statement for up to {@value #BATCH} leases of the same ttl. A row that another transaction
 * has locked does not delay the renewal of other rows.
 *
 * <ol>
 *   <li>The statement renews the rows that it can without waiting for a locked row. If the number of updated rows
 *       equals the number of leases, all are renewed. If the statement fails, as it does because of a locked row, this
 *       step is skipped from then on, until a batch leaves no locked row.
 *   <li>Otherwise, one transaction locks the rows that no other transaction has locked, and renews them. If this machine
 *       vanishes in between, the server ends the transaction when the leases have expired.
 *   <li>The remaining rows are read. A missing lease is lost. A lease that exists is retried a few times, since most
 *       row locks last for a moment; after that its answer is unknown.
 *   <li>The rows of lost leases are read once more, to find those that were revoked.
 * </ol>
 *
 * <p>A token is never used for two locks. A row whose key is among the keys and whose token is among the tokens is
 * therefore one of the leases to renew.
 */
final class BatchRenewal {

    static final int BATCH = 512;

    private static final int ATTEMPTS = 3;

    private final LeaseTable table;

    // Only a hint: a lost update costs one more wait for a locked row, or one more transaction.
    private volatile boolean skipsLockedRows;

    BatchRenewal(LeaseTable table) {
        this.table = table;
    }

    List<RenewAnswer> renew(LockConnection session, List<RenewCommand> commands) throws SQLException {
        Map<Duration, Set<Lease>> byTtl = new LinkedHashMap<>();
        for (RenewCommand command : commands) {
            byTtl.computeIfAbsent(command.ttl(), ttl -> new LinkedHashSet<>()).add(Lease.of(command));
        }
        Map<Lease, RenewAnswer> answers = new HashMap<>();
        for (Map.Entry<Duration, Set<Lease>> group : byTtl.entrySet()) {
            List<Lease> leases = List.copyOf(group.getValue());
            for (int from = 0; from < leases.size(); from += BATCH) {
                List<Lease> batch = leases.subList(from, Math.min(leases.size(), from + BATCH));
                answers.putAll(renew(session, batch, group.getKey()));
            }
        }
        return commands.stream()
                .map(command -> answers.getOrDefault(Lease.of(command), RenewAnswer.NOT_OWNER))
                .toList();
    }

    private Map<Lease, RenewAnswer> renew(LockConnection session, List<Lease> batch, Duration ttl) throws SQLException {
        Map<Lease, RenewAnswer> answers = new HashMap<>();
        if (!skipsLockedRows && renewedAll(session, batch, LeaseRequest.micros(ttl))) {
            batch.forEach(lease -> answers.put(lease, RenewAnswer.RENEWED));
            return answers;
        }
        List<Lease> rest = batch;
        for (int attempt = 1; attempt <= ATTEMPTS && !rest.isEmpty(); attempt++) {
            List<Lease> left = rest;
            Set<Lease> renewed =
                    IdleTransactionLimit.inTransaction(session, ttl, within -> renewUnlocked(within, left, ttl));
            renewed.forEach(lease -> answers.put(lease, RenewAnswer.RENEWED));
            rest = rest.stream().filter(lease -> !renewed.contains(lease)).toList();
            Set<Lease> alive = rest.isEmpty() ? Set.of() : select(session, rest, "");
            rest = rest.stream().filter(alive::contains).toList();
            if (!rest.isEmpty() && attempt < ATTEMPTS) {
                SqlRunner.pause(attempt);
            }
        }
        skipsLockedRows &= !rest.isEmpty();
        rest.forEach(lease -> answers.put(lease, RenewAnswer.UNKNOWN));
        List<Lease> lost =
                batch.stream().filter(lease -> !answers.containsKey(lease)).toList();
        if (!lost.isEmpty()) {
            List<Lease> revoked = lost.stream().map(Lease::revoked).toList();
            Set<Lease> found = select(session, revoked, "");
            lost.stream()
                    .filter(lease -> found.contains(lease.revoked()))
                    .forEach(lease -> answers.put(lease, RenewAnswer.REVOKED));
        }
        return answers;
    }

    private boolean renewedAll(LockConnection session, List<Lease> batch, long ttlMicros) throws SQLException {
        PreparedStatement renew = session.prepare(table.renewSql(condition(batch.size())));
        renew.setLong(1, ttlMicros);
        bind(renew, 2, batch);
        try {
            return renew.executeUpdate() == batch.size();
        } catch (SQLException ex) {
            // Also after a statement without an answer, which may have waited for a locked row.
            skipsLockedRows = true;
            if (SqlError.classify(ex, session.dialect()) == SqlError.ROW_LOCKED) {
                return false;
            }
            throw ex;
        }
    }

    private Set<Lease> renewUnlocked(LockConnection session, List<Lease> batch, Duration ttl) throws SQLException {
        List<Lease> locked = List.copyOf(select(session, batch, " FOR UPDATE SKIP LOCKED"));
        if (!locked.isEmpty()) {
            // also if they have expired meanwhile: the rows are locked, so no other lease can have begun
            PreparedStatement renew = session.prepare(table.plainRenewSql(keysAndTokens(locked.size())));
            renew.setLong(1, LeaseRequest.micros(ttl));
            bind(renew, 2, locked);
            renew.executeUpdate();
        }
        return Set.copyOf(locked);
    }

    private Set<Lease> select(LockConnection session, List<Lease> batch, String locking) throws SQLException {
        PreparedStatement read = session.prepare(
                table.sql("SELECT key_hash, token FROM {table} WHERE ") + condition(batch.size()) + locking);
        bind(read, 1, batch);
        Set<Lease> found = new HashSet<>();
        try (ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                found.add(new Lease(ByteBuffer.wrap(rows.getBytes(1)), rows.getString(2)));
            }
        }
        return found;
    }

    private String condition(int leases) {
        return keysAndTokens(leases) + table.sql(" AND expires_at > {now}");
    }

    private static String keysAndTokens(int leases) {
        String parameters = InListPadding.list(InListPadding.slots(leases));
        return "key_hash IN (" + parameters + ") AND token IN (" + parameters + ")";
    }

    private static void bind(PreparedStatement statement, int first, List<Lease> batch) throws SQLException {
        int slots = InListPadding.slots(batch.size());
        for (int i = 0; i < slots; i++) {
            Lease lease = batch.get(Math.min(i, batch.size() - 1));
            statement.setBytes(first + i, lease.key().array());
            statement.setString(first + slots + i, lease.token());
        }
    }

    private record Lease(ByteBuffer key, String token) {

        Lease revoked() {
            return new Lease(key, LeaseTable.revoked(token));
        }

        static Lease of(RenewCommand command) {
            return new Lease(
                    ByteBuffer.wrap(KeyHash.of(command.id())), command.token().value());
        }
    }
}
