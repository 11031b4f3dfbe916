/** Whole processes, engine and store, under faults of the network and of the store. */
@NullMarked
package io.leasehold.faults;

import org.jspecify.annotations.NullMarked;
