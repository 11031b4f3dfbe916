package io.leasehold.engine;

import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * The collaborators that all lockers of an engine share.
 *
 * @param listener receives every event, and never throws
 * @param ticker the clocks
 * @param scheduler runs the engine's own timed tasks
 * @param parker blocks the threads of waiting callers
 * @param jitter returns a random number from zero (inclusive) to its argument (exclusive)
 * @param tokens draws the tokens of acquisitions
 * @param executors run code of the application
 * @param reaper removes the tokens of acquisitions with unknown outcome
 * @param watchdog renews leases
 */
record EngineResources(
        EngineListener listener,
        Ticker ticker,
        Scheduler scheduler,
        Parker parker,
        LongUnaryOperator jitter,
        TokenSource tokens,
        EngineExecutors executors,
        Reaper reaper,
        LeaseWatchdog watchdog) {

    /** The default jitter. */
    static long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }
}
