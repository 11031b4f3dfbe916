package io.leasehold.actuate;

import io.leasehold.ForcedRelease;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a forced release. It has no key, because the request contains it.
 *
 * @param outcome {@code revoked}, {@code removed}, {@code free}, {@code other_holder}, {@code foreign}, {@code
 *     unsupported}, {@code refused}, or {@code unknown} if the lock may have been taken
 * @param holder the name of the process that held the lock, and its thread, or a mask; {@code null} if it is unknown
 * @param reason a sentence about the outcome
 */
public record ForcedReleaseDescriptor(
        String outcome, @Nullable String holder, @Nullable String reason) {

    static ForcedReleaseDescriptor of(ForcedRelease release, boolean showValues) {
        String holder = release.holder();
        return new ForcedReleaseDescriptor(
                release.outcome().name().toLowerCase(Locale.ROOT),
                holder == null || showValues ? holder : LockDescriptor.MASK,
                release.outcome().explanation());
    }

    /** The answer to a request that has no outcome. */
    static ForcedReleaseDescriptor without(String outcome, @Nullable String reason) {
        return new ForcedReleaseDescriptor(outcome, null, reason);
    }
}
