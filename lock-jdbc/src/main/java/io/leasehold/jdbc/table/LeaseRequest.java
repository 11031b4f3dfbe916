package io.leasehold.jdbc.table;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AcquireCommand} converted to the columns of the lease table.
 *
 * @param key the row's key
 * @param id the lock
 * @param token the token as text
 * @param holder the name of the process and of the thread that request the lease, {@code null} if it has none
 * @param fences how many fencing tokens to reserve
 * @param ttlMicros the ttl in microseconds
 * @param waits whether the caller retries if the lock is busy
 * @param wantsNotification whether the caller is to be notified of the release if the lock is busy
 */
public record LeaseRequest(
        byte[] key,
        LockId id,
        String token,
        @Nullable String holder,
        int fences,
        long ttlMicros,
        boolean waits,
        boolean wantsNotification) {

    public static LeaseRequest of(AcquireCommand command, boolean listening) {
        String holder = command.token().holder();
        return new LeaseRequest(
                KeyHash.of(command.id()),
                command.id(),
                command.token().value(),
                holder == null ? null : ascii(holder),
                command.fencingTokens(),
                micros(command.ttl()),
                command.queueIfBusy(),
                command.queueIfBusy() && listening);
    }

    /** A name that a database of any encoding can store. No lock may be refused because of its holder's name. */
    private static String ascii(String name) {
        return name.codePoints()
                .collect(
                        StringBuilder::new,
                        (text, c) -> text.append(c < 0x7f ? Character.toString(c) : "?"),
                        StringBuilder::append)
                .toString();
    }

    /** Sets the parameters of a row to insert: {@code key_hash, lock_key, token, holder, fences} and the ttl. */
    void bindRow(PreparedStatement insert, int first) throws SQLException {
        insert.setBytes(first, key);
        insert.setString(first + 1, name());
        insert.setString(first + 2, token);
        insert.setString(first + 3, holder);
        insert.setInt(first + 4, fences);
        insert.setLong(first + 5, ttlMicros);
    }

    /** Sets the parameters of an update of a free row: {@code fences, token, holder}, the ttl and {@code key_hash}. */
    void bindUpdate(PreparedStatement update) throws SQLException {
        update.setInt(1, fences);
        update.setString(2, token);
        update.setString(3, holder);
        update.setLong(4, ttlMicros);
        update.setBytes(5, key);
    }

    /** The row's readable key. */
    public String name() {
        return id.encoded();
    }

    /** A duration in microseconds, capped at a century so that no expiry overflows. */
    public static long micros(Duration duration) {
        Duration capped = duration.compareTo(ChronoUnit.CENTURIES.getDuration()) > 0
                ? ChronoUnit.CENTURIES.getDuration()
                : duration;
        return capped.toSeconds() * 1_000_000L + capped.getNano() / 1_000;
    }
}
