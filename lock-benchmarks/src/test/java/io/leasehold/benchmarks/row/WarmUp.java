package io.leasehold.benchmarks.row;

import java.time.Duration;

/**
 * When contestants are warm: they have run for as long as they had to, and the compilers were next to idle in the last few
 * turns. Code that is still being compiled, by threads that take the same processors, costs who has more of it.
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

    /** For how long each has run. */
    Duration run() {
        return run;
    }

    /**
     * Counts a turn of all contestants; says whether that was the last.
     *
     * @param window how long each ran
     * @param compiling for which part of the time a compiler of their process was at work
     */
    boolean isOverAfter(Duration window, double compiling) {
        run = run.plus(window);
        quietTurns = compiling < IDLE ? quietTurns + 1 : 0;
        return run.compareTo(least) >= 0 && (quietTurns >= QUIET_TURNS || run.compareTo(longest) >= 0);
    }
}
