package io.leasehold.engine;

import io.leasehold.LockListener;
import java.util.List;
import java.util.concurrent.Executor;

/** What all lockers of an engine share. */
record EngineParts(
        LockListener listener,
        Ticker ticker,
        Scheduler scheduler,
        TokenSource tokens,
        LossCallbacks callbacks,
        Executor continuations,
        Reaper reaper,
        LeaseWatchdog watchdog) {

    static EngineParts of(
            LockListener listener,
            Ticker ticker,
            Scheduler scheduler,
            Executor continuations,
            List<LeaseLocker> lockers) {
        return new EngineParts(
                listener,
                ticker,
                scheduler,
                new TokenSource(),
                new LossCallbacks(),
                continuations,
                new Reaper(ticker, scheduler),
                new LeaseWatchdog(ticker, scheduler, lockers));
    }
}
