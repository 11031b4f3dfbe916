package io.leasehold.support;

/** The two clocks that the library reads. Tests replace it. */
public interface Ticker {

    /**
     * Returns the time of a monotonic clock, which is independent of the wall clock. It may stand still while the
     * machine is suspended.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanos();

    /**
     * Returns the wall-clock time. It is used only to detect that the monotonic clock stood still.
     *
     * @return milliseconds since the epoch
     */
    long wallMillis();

    /** Returns the clocks of this machine. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }

    /** Reads the clocks of this machine. No other class does so. */
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
