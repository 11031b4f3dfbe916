/** What is done to the locks while it is measured. */
@NullMarked
package io.leasehold.benchmarks.load;

import org.jspecify.annotations.NullMarked;
