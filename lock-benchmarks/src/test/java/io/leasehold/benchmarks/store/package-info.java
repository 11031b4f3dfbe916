/** The servers that store the locks, started for the run, and figures of their work. */
@NullMarked
package io.leasehold.benchmarks.store;

import org.jspecify.annotations.NullMarked;
