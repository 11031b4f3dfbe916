package io.leasehold.support;

/** The two clocks that the library reads; a seam for tests. */
public interface Ticker {

    /**
     * A clock that only goes forward and does not know the time of day. It may stand still while the machine is
     * suspended.
     *
     * @return nanoseconds since some moment
     */
    long nanos();

    /**
     * The time of day. Used only to notice that the other clock stood still.
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

    /** The clocks of this machine. No other class reads them. */
    enum SystemTicker implements Ticker {
        /** The only instance. */
        INSTANCE;

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    }
}
