/**
 * Meters for locks, fed by a {@link io.leasehold.LockListener}. Tags are bounded: locker, backend and outcome, never
 * the key. It uses the API and Micrometer. Only the auto-configuration uses it.
 */
@NullMarked
package io.leasehold.metrics;

import org.jspecify.annotations.NullMarked;
