package io.leasehold.actuate;

import io.leasehold.LockState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock according to its store. It has no key, because the request contains it.
 *
 * @param state {@code free}, {@code holder}, {@code released}, {@code revoked}, {@code foreign} or {@code unknown}
 * @param holder the name of the process that holds the lock, and its thread, or a mask; {@code null} if it is unknown
 * @param since the time of the grant, {@code null} if it is unknown
 * @param remaining how much longer the lock is held if it is not renewed, {@code null} if it never expires or that is
 *     unknown
 * @param fencingToken the greatest fencing token of the grant, {@code null} if it is unknown
 * @param waiting how many waiting callers the store knows, {@code null} if it does not keep them
 * @param reason why the state is unknown, otherwise {@code null}
 */
public record LockDescriptor(
        String state,
        @Nullable String holder,
        @Nullable Instant since,
        @Nullable Duration remaining,
        @Nullable Long fencingToken,
        @Nullable Integer waiting,
        @Nullable String reason) {

    static final String MASK = "******";

    static LockDescriptor of(LockState state, boolean showValues) {
        if (state instanceof LockState.Held held) {
            String holder = held.holder();
            return new LockDescriptor(
                    held.kind().name().toLowerCase(Locale.ROOT),
                    holder == null || showValues ? holder : MASK,
                    held.since(),
                    held.remaining(),
                    held.fencingToken().isPresent() ? held.fencingToken().getAsLong() : null,
                    held.waiting().isPresent() ? held.waiting().getAsInt() : null,
                    null);
        }
        return state instanceof LockState.Unknown unknown
                ? without("unknown", unknown.reason())
                : without("free", null);
    }

    /** The state of a lock about which nothing else is known. */
    static LockDescriptor without(String state, @Nullable String reason) {
        return new LockDescriptor(state, null, null, null, null, null, reason);
    }
}
