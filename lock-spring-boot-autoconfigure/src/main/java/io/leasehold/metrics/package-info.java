/**
 * Meters for locks, fed by a {@link io.leasehold.LockListener}. Tags are bounded: locker, backend and outcome, never
 * the key.
 */
@NullMarked
package io.leasehold.metrics;

import org.jspecify.annotations.NullMarked;
