package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.measure.Spread;
import java.util.Locale;

/** Figures as people read them: three digits, and no more. */
public final class Numbers {

    private Numbers() {}

    /**
     * A number.
     *
     * @param value any
     * @return with as many decimals as make three digits, a hyphen for what is no number
     */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return "∞";
        }
        double size = Math.abs(value);
        String pattern = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size == 0 ? "%.0f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }

    /**
     * A duration in milliseconds.
     *
     * @param nanos the duration
     * @return without the unit
     */
    public static String millis(long nanos) {
        return of(nanos / 1e6);
    }

    /**
     * A median with what it lies between.
     *
     * @param spread of several measurements
     * @return all three
     */
    public static String of(Spread spread) {
        return of(spread.median()) + " (" + of(spread.min()) + "-" + of(spread.max()) + ")";
    }
}
