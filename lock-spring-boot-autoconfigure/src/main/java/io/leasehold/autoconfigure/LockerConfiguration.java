package io.leasehold.autoconfigure;

import io.leasehold.engine.LockerSettings;

/**
 * All that the properties say about one locker.
 *
 * @param settings how it locks
 * @param backend where it locks
 * @param circuitBreaker when it gives up on the store for a while
 */
record LockerConfiguration(LockerSettings settings, BackendChoice backend, CircuitBreakerProperties circuitBreaker) {}
