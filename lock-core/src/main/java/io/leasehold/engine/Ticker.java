package io.leasehold.engine;

/** The two clocks that the engine reads; a seam for tests. */
interface Ticker {

    /**
     * A clock that only goes forward and does not know the time of day. It may stand still while the machine is
     * suspended.
     *
     * @return nanoseconds since some moment
     */
    long nanos();

    /**
     * The time of day. Used for nothing but to notice that the other clock stood still.
     *
     * @return milliseconds since the epoch
     */
    long wallMillis();

    /**
     * The clocks of this machine.
     *
     * @return the ticker
     */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }
}
