/** The work on the locks during a measurement. */
@NullMarked
package io.leasehold.benchmarks.load;

import org.jspecify.annotations.NullMarked;
