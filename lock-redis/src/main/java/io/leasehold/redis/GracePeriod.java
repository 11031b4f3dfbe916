package io.leasehold.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which a master that was promoted or restarted grants no free lock, because it may lack leases. The script
 * acquire.lua implements it.
 */
final class GracePeriod {

    private static final Logger log = LoggerFactory.getLogger(GracePeriod.class);

    /** An answer of the script within the period is this much less. */
    private static final long MARK = 1_000_000_000_000_000L;

    private final @Nullable Duration period;

    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Creates a grace period.
     *
     * @param period its length, {@code null} for the ttl of the requested lock
     */
    GracePeriod(@Nullable Duration period) {
        this.period = period;
    }

    Duration of(Duration ttl) {
        return period == null ? ttl : period;
    }

    /** Returns an answer that denies a lock without the mark. Logs a warning at the first mark of each period. */
    long unmarked(long answer) {
        if (answer > -MARK) {
            return answer;
        }
        long unmarked = answer + MARK;
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "Redis was promoted to a master, or restarted, and may lack locks. It grants no free lock for another"
                            + " {} ms ('lock.redis.grace-period')",
                    -1 - unmarked);
        }
        return unmarked;
    }

    /** Notes that a lock was granted. */
    void end() {
        warned.set(false);
    }
}
