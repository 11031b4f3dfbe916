package io.leasehold.redlock;

import io.leasehold.spi.LockBackend;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.util.List;

/** Gives the simulation, which is in another package, Redlock backends on clocks and timers of its own. */
public final class SimulatedRedlock {

    private SimulatedRedlock() {}

    /** Creates a backend on other clocks and timers. */
    public static LockBackend create(
            List<RedlockNode> nodes,
            RedlockLockOptions options,
            Ticker ticker,
            Scheduler timeouts,
            Scheduler removals) {
        return new RedlockLockBackend(new NodeGroup(nodes, options, ticker::nanos, timeouts, removals));
    }
}
