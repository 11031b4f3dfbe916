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

/**
 * Gives the simulation, which is in another package, access to the engine: creates engines on its clocks and threads,
 * and reads their state.
 */
public final class SimulatedEngine {

    private SimulatedEngine() {}

    /** Creates an engine on other clocks and threads. */
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

    /** The result that {@link LockHandle#isHeld} would return to the holder, without its side effects. */
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

    /** The start of the minimum hold time, by the monotonic clock. */
    public static long acquiredAt(LockHandle handle) {
        return ((LeaseHandle) handle).acquiredAt();
    }

    /** The unfinished work of a locker; empty if there is none. */
    public static String unfinished(LeaseLocker locker) {
        StringBuilder left = new StringBuilder();
        add(left, locker.queues().all().size(), "queues");
        add(left, locker.state().openCalls().get(), "open calls");
        add(left, locker.state().waiting().get(), "waiting callers");
        add(left, locker.state().backlog().pending(), "pending removals");
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
