package io.leasehold.autoconfigure.backend;

import java.time.InstantSource;

/** The clocks of this machine, for the stores that read one. */
public final class StoreClock {

    private StoreClock() {}

    public static long nanos() {
        return System.nanoTime();
    }

    public static InstantSource wall() {
        return InstantSource.system();
    }
}
