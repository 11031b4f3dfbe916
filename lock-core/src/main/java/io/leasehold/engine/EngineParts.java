package io.leasehold.engine;

import io.leasehold.LockListener;
import java.util.List;

/** What all lockers of an engine share. */
record EngineParts(
        LockListener listener,
        Ticker ticker,
        Scheduler scheduler,
        TokenSource tokens,
        LossCallbacks callbacks,
        Continuations continuations,
        Reaper reaper,
        LeaseWatchdog watchdog) {

    static EngineParts of(LockListener listener, Ticker ticker, Scheduler scheduler, List<LeaseLocker> lockers) {
        return new EngineParts(
                listener,
                ticker,
                scheduler,
                new TokenSource(),
                new LossCallbacks(),
                new Continuations(),
                new Reaper(ticker, scheduler),
                new LeaseWatchdog(ticker, scheduler, lockers));
    }
}
