package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Numbers;
import java.time.Duration;

/**
 * The effort of a measurement.
 *
 * @param rounds number of rounds per contestant
 * @param servers number of servers, measured in turn, each of them new; the places where a database puts its rows make
 *     one server faster than another
 * @param warmUp shortest warm-up of each contestant
 * @param longestWarmUp longest warm-up, if the JVM still compiles much
 * @param window length of a round
 * @param hold how long locks are held in rows about held locks
 * @param keys number of keys in rows about many keys
 */
public record Effort(
        int rounds, int servers, Duration warmUp, Duration longestWarmUp, Duration window, Duration hold, int keys) {

    /** Rejects an effort that would measure nothing. */
    public Effort {
        if (rounds < 1) {
            throw new IllegalArgumentException("'rounds' must be at least 1: " + rounds);
        }
        if (servers < 1) {
            throw new IllegalArgumentException("'servers' must be at least 1: " + servers);
        }
        if (warmUp.isNegative()) {
            throw new IllegalArgumentException("'warmUp' must not be negative: " + warmUp);
        }
        if (longestWarmUp.isNegative()) {
            throw new IllegalArgumentException("'longestWarmUp' must not be negative: " + longestWarmUp);
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

    /** Describes the effort in words. */
    public String description() {
        return "%d rounds of %s s for each with %s after a warm-up of %s to %s s, locks held for %d s, %,d keys"
                .formatted(
                        rounds,
                        Numbers.of(window.toMillis() / 1e3),
                        servers == 1 ? "one server" : "each of " + servers + " servers",
                        Numbers.of(warmUp.toMillis() / 1e3),
                        Numbers.of(Math.max(warmUp.toMillis(), longestWarmUp.toMillis()) / 1e3),
                        hold.toSeconds(),
                        keys);
    }

    /** Returns this effort with another {@link #rounds}. */
    public Effort withRounds(int value) {
        return new Effort(value, servers, warmUp, longestWarmUp, window, hold, keys);
    }

    /** Returns this effort with another {@link #servers}. */
    public Effort withServers(int value) {
        return new Effort(rounds, value, warmUp, longestWarmUp, window, hold, keys);
    }

    /** Returns this effort with another {@link #warmUp}. */
    public Effort withWarmUp(Duration value) {
        return new Effort(rounds, servers, value, longestWarmUp, window, hold, keys);
    }

    /** Returns this effort with another {@link #longestWarmUp}. */
    public Effort withLongestWarmUp(Duration value) {
        return new Effort(rounds, servers, warmUp, value, window, hold, keys);
    }

    /** Returns this effort with another {@link #window}. */
    public Effort withWindow(Duration value) {
        return new Effort(rounds, servers, warmUp, longestWarmUp, value, hold, keys);
    }

    /** Returns this effort with another {@link #hold}. */
    public Effort withHold(Duration value) {
        return new Effort(rounds, servers, warmUp, longestWarmUp, window, value, keys);
    }

    /** Returns this effort with another {@link #keys}. */
    public Effort withKeys(int value) {
        return new Effort(rounds, servers, warmUp, longestWarmUp, window, hold, value);
    }
}
