package io.leasehold.autoconfigure;

import java.time.InstantSource;

/** The clocks of this machine, for the stores that read one. */
final class StoreClock {

    private StoreClock() {}

    static long nanos() {
        return System.nanoTime();
    }

    static InstantSource wall() {
        return InstantSource.system();
    }
}
