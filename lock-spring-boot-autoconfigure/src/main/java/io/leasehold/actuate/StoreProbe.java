package io.leasehold.actuate;

import java.util.Map;

/** Asks the stores that are in use how they are. */
@FunctionalInterface
public interface StoreProbe {

    /**
     * Asks all stores at once and waits a bounded time for their answers.
     *
     * @return the state of each store, by its name; empty if no locker locks anywhere yet
     */
    Map<String, StoreState> probe();
}
