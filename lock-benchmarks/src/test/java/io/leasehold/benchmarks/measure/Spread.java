package io.leasehold.benchmarks.measure;

import java.util.Collection;

/**
 * The middle of several measurements of the same thing, and how far they lie apart.
 *
 * @param median the middle one; of an even number the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 */
public record Spread(double median, double min, double max) {

    /**
     * The spread of some values.
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
