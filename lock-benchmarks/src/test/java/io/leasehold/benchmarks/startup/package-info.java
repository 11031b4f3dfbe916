/** An application that is started in processes of its own, with locks and without. */
@NullMarked
package io.leasehold.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
