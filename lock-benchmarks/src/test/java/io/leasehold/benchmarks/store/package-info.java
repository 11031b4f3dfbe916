/** The servers that the locks are in, started for the run, and what they have had to do. */
@NullMarked
package io.leasehold.benchmarks.store;

import org.jspecify.annotations.NullMarked;
