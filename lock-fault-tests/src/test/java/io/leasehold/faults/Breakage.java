package io.leasehold.faults;

import java.util.concurrent.Future;

/** How a case breaks something, in the order of the calls. */
interface Breakage {

    /** Before the operation begins. */
    void begin();

    /** While the operation is under way. */
    void strike();

    /**
     * Returns when the fault has lasted long enough.
     *
     * @param operation ends when the caller has its answer
     */
    void outlast(Future<?> operation);

    /** Repairs everything. */
    void heal();
}
