package io.leasehold.benchmarks.report;

import io.leasehold.benchmarks.measure.Spread;
import java.util.Locale;

/** Figures for readers, with three digits at most. */
public final class Numbers {

    private Numbers() {}

    /**
     * Formats a number.
     *
     * @param value any number
     * @return the number with as many decimals as make three digits, or a hyphen if it is not a number
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
     * Formats a duration in milliseconds.
     *
     * @param nanos the duration
     * @return the number without the unit
     */
    public static String millis(long nanos) {
        return of(nanos / 1e6);
    }

    /**
     * Formats a median and its range.
     *
     * @param spread the spread of several measurements
     * @return the median, the smallest and the largest value
     */
    public static String of(Spread spread) {
        return of(spread.median()) + " (" + of(spread.min()) + "-" + of(spread.max()) + ")";
    }
}
