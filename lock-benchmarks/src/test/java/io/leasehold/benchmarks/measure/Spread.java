package io.leasehold.benchmarks.measure;

import java.util.Collection;

/**
 * The median of several measurements of the same value, and their range.
 *
 * @param median the middle value; of an even number of values, the mean of the two in the middle
 * @param min the smallest value
 * @param max the largest value
 */
public record Spread(double median, double min, double max) {

    /**
     * Returns the spread of some values.
     *
     * @param values at least one
     * @return their spread
     */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("'values' must not be empty");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
