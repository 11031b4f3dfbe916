package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.spi.Token;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.LongUnaryOperator;

/** Lets the simulation, which is another package, make engines on seams of its own, and look into them. */
public final class SimulatedEngine {

    private SimulatedEngine() {}

    /** An engine on other clocks and threads. */
    public static LockEngine create(
            LockListener listener,
            Ticker ticker,
            Scheduler scheduler,
            Parker parker,
            LongUnaryOperator jitter,
            Random tokens,
            Executor async,
            Executor lossCallbacks,
            Executor events) {
        return new LockEngine(
                listener,
                ticker,
                scheduler,
                parker,
                jitter,
                new TokenSource(tokens),
                new EngineExecutors(async, lossCallbacks, events));
    }

    /** What {@link LockHandle#isHeld} would say to its holder, without the effects that asking has. */
    public static boolean isHeld(LockHandle handle, long nanos, long wallMillis) {
        Lease lease = lease(handle);
        return !lease.hasEnded()
                && lease.holder() == handle
                && !lease.isExpired(nanos)
                && !lease.isSuspect(nanos, wallMillis);
    }

    /** The token of a lock's lease. */
    public static Token token(LockHandle handle) {
        return lease(handle).token();
    }

    /** From when on a minimum hold time counts, by the monotonic clock. */
    public static long acquiredAt(LockHandle handle) {
        return ((LeaseHandle) handle).acquiredAt();
    }

    /** What a locker has not finished with; empty if nothing. */
    public static String unfinished(LeaseLocker locker) {
        StringBuilder left = new StringBuilder();
        add(left, locker.queues().all().size(), "queues");
        add(left, locker.state().openCalls().get(), "open calls");
        add(left, locker.state().waiting().get(), "waiting callers");
        add(left, locker.state().backlog().pending(), "pending removals");
        add(left, locker.state().backlog().unconfirmed(), "unconfirmed removals");
        return left.toString();
    }

    private static void add(StringBuilder left, int count, String what) {
        if (count != 0) {
            left.append(count).append(' ').append(what).append(' ');
        }
    }

    private static Lease lease(LockHandle handle) {
        return ((LeaseHandle) handle).lease();
    }
}
