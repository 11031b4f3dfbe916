package io.leasehold.backend.jdbc;

import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Renews leases, all with the same ttl in one statement for up to {@value #BATCH} of them.
 *
 * <p>If the statement met as many rows as it named, all are renewed. Otherwise a second one asks which leases are still
 * there: what is there now was there before, so it has been renewed. Tokens are never used for two locks, so a row whose
 * key is among the keys and whose token is among the tokens is a lease that was meant.
 */
final class LeaseRenewal {

    static final int BATCH = 512;

    private final LeaseTable table;

    LeaseRenewal(LeaseTable table) {
        this.table = table;
    }

    List<RenewAnswer> renew(Session session, List<RenewCommand> commands) throws SQLException {
        Map<Duration, Set<Lease>> byTtl = new LinkedHashMap<>();
        for (RenewCommand command : commands) {
            byTtl.computeIfAbsent(command.ttl(), ttl -> new LinkedHashSet<>()).add(Lease.of(command));
        }
        Set<Lease> renewed = new HashSet<>();
        for (Map.Entry<Duration, Set<Lease>> group : byTtl.entrySet()) {
            List<Lease> leases = List.copyOf(group.getValue());
            for (int from = 0; from < leases.size(); from += BATCH) {
                List<Lease> batch = leases.subList(from, Math.min(leases.size(), from + BATCH));
                renewed.addAll(renew(session, batch, LeaseRequest.micros(group.getKey())));
            }
        }
        return commands.stream()
                .map(command -> renewed.contains(Lease.of(command)) ? RenewAnswer.RENEWED : RenewAnswer.NOT_OWNER)
                .toList();
    }

    private List<Lease> renew(Session session, List<Lease> batch, long ttlMicros) throws SQLException {
        String condition = condition(batch.size());
        PreparedStatement renew = session.prepare(
                table.sql("UPDATE {table} SET expires_at = GREATEST(expires_at, {now} + ?) WHERE ") + condition);
        renew.setLong(1, ttlMicros);
        bind(renew, 2, batch);
        return renew.executeUpdate() == batch.size() ? batch : alive(session, batch, condition);
    }

    private List<Lease> alive(Session session, List<Lease> batch, String condition) throws SQLException {
        PreparedStatement read = session.prepare(table.sql("SELECT key_hash, token FROM {table} WHERE ") + condition);
        bind(read, 1, batch);
        List<Lease> alive = new ArrayList<>();
        try (ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                alive.add(new Lease(ByteBuffer.wrap(rows.getBytes(1)), rows.getString(2)));
            }
        }
        return alive;
    }

    private String condition(int leases) {
        String parameters = Parameters.list(Parameters.slots(leases));
        return table.sql("key_hash IN (" + parameters + ") AND token IN (" + parameters + ") AND expires_at > {now}");
    }

    private static void bind(PreparedStatement statement, int first, List<Lease> batch) throws SQLException {
        int slots = Parameters.slots(batch.size());
        for (int i = 0; i < slots; i++) {
            Lease lease = batch.get(Math.min(i, batch.size() - 1));
            statement.setBytes(first + i, lease.key().array());
            statement.setString(first + slots + i, lease.token());
        }
    }

    private record Lease(ByteBuffer key, String token) {

        static Lease of(RenewCommand command) {
            return new Lease(
                    ByteBuffer.wrap(RowKey.of(command.id())), command.token().value());
        }
    }
}
