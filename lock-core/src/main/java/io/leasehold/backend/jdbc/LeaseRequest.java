package io.leasehold.backend.jdbc;

import io.leasehold.spi.AcquireCommand;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * An {@link AcquireCommand} in the words of the lease table.
 *
 * @param key the row's key
 * @param name the row's readable name
 * @param token the token as text
 * @param fences how many fencing tokens to reserve
 * @param ttlMicros the ttl in microseconds
 */
record LeaseRequest(byte[] key, String name, String token, int fences, long ttlMicros) {

    static LeaseRequest of(AcquireCommand command) {
        return new LeaseRequest(
                RowKey.of(command.id()),
                command.id().encoded(),
                command.token().value(),
                command.fences(),
                micros(command.ttl()));
    }

    /** A duration in microseconds, capped at a century so that no expiry overflows. */
    static long micros(Duration duration) {
        Duration capped = duration.compareTo(ChronoUnit.CENTURIES.getDuration()) > 0
                ? ChronoUnit.CENTURIES.getDuration()
                : duration;
        return capped.toSeconds() * 1_000_000L + capped.getNano() / 1_000;
    }
}
