package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Numbers;
import java.time.Duration;

/**
 * How much is put into measuring.
 *
 * @param rounds how often each contestant is measured
 * @param warmUp for how long each contestant runs before; code that is still being compiled costs who has more of it
 * @param window how long a round takes
 * @param hold how long locks are held where it is about holding them
 * @param keys how many keys are locked where it is about many
 */
public record Effort(int rounds, Duration warmUp, Duration window, Duration hold, int keys) {

    /** Refuses to measure nothing. */
    public Effort {
        if (rounds < 1) {
            throw new IllegalArgumentException("'rounds' must be at least 1: " + rounds);
        }
        if (warmUp.isNegative()) {
            throw new IllegalArgumentException("'warmUp' must not be negative: " + warmUp);
        }
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("'window' must be positive: " + window);
        }
        if (hold.isNegative()) {
            throw new IllegalArgumentException("'hold' must not be negative: " + hold);
        }
        if (keys < 1) {
            throw new IllegalArgumentException("'keys' must be at least 1: " + keys);
        }
    }

    /** In words. */
    public String description() {
        return "%d rounds of %s s for each after a warm-up of %s s, locks held for %d s, %,d keys"
                .formatted(
                        rounds,
                        Numbers.of(window.toMillis() / 1e3),
                        Numbers.of(warmUp.toMillis() / 1e3),
                        hold.toSeconds(),
                        keys);
    }
}
