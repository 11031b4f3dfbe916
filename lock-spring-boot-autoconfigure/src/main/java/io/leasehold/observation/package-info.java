/**
 * Observations of acquisitions and holds, made by a {@link io.leasehold.LockListener}. An application customises them
 * with a {@code GlobalObservationConvention} for one of the contexts. The package uses Micrometer. The wiring uses it,
 * and so do the packages for asynchronous calls of annotated methods.
 */
@NullMarked
package io.leasehold.observation;

import org.jspecify.annotations.NullMarked;
