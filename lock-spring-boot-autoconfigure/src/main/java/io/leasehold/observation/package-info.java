/**
 * Observations of acquisitions and holds, made by a {@link io.leasehold.LockListener}. An application customises them
 * with a {@code GlobalObservationConvention} for one of the contexts. The package uses Micrometer; only the wiring uses
 * it.
 */
@NullMarked
package io.leasehold.observation;

import org.jspecify.annotations.NullMarked;
