package io.leasehold.faults;

import java.util.concurrent.Future;

/** The fault of a case. The methods are called in this order. */
interface Breakage {

    /** Prepares the fault before the operation begins. */
    void begin();

    /** Strikes while the operation is running. */
    void strike();

    /**
     * Returns when the fault has lasted long enough.
     *
     * @param operation completes when the caller has its answer
     */
    void outlast(Future<?> operation);

    /** Repairs all damage. */
    void heal();
}
