/**
 * Work that runs in processes of its own, so that several processes compete for locks and the memory and CPU of each
 * can be measured.
 */
@NullMarked
package io.leasehold.benchmarks.process;

import org.jspecify.annotations.NullMarked;
