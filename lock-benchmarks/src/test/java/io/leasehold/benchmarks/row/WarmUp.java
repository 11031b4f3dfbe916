package io.leasehold.benchmarks.row;

import java.time.Duration;

/**
 * Decides when contestants are warm. They are warm after the shortest warm-up if the compilers were almost idle in the
 * last few turns. Compilation runs on the same processors, so it would slow down the contestant with more code to
 * compile.
 */
final class WarmUp {

    private static final double IDLE = 0.02;

    private static final int QUIET_TURNS = 2;

    private final Duration least;

    private final Duration longest;

    private Duration run = Duration.ZERO;

    private int quietTurns;

    WarmUp(Duration least, Duration longest) {
        this.least = least;
        this.longest = longest;
    }

    /** How long each contestant has run. */
    Duration run() {
        return run;
    }

    /**
     * Counts a turn of all contestants.
     *
     * @param window how long each contestant ran
     * @param compiling the share of the time in which the compilers of a process were busy
     * @return whether this turn was the last
     */
    boolean isOverAfter(Duration window, double compiling) {
        run = run.plus(window);
        quietTurns = compiling < IDLE ? quietTurns + 1 : 0;
        return run.compareTo(least) >= 0 && (quietTurns >= QUIET_TURNS || run.compareTo(longest) >= 0);
    }
}
