/** Figures: how long, how many, how far apart. */
@NullMarked
package io.leasehold.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
