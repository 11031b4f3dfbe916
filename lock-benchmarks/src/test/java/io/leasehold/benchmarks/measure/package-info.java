/** Figures: durations, counts and spreads. */
@NullMarked
package io.leasehold.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
