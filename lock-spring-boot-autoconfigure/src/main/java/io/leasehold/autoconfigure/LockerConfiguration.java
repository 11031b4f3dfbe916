package io.leasehold.autoconfigure;

import io.leasehold.engine.LockerSettings;

/**
 * All that the properties say about one locker.
 *
 * @param settings how it locks
 * @param backend where it locks
 */
record LockerConfiguration(LockerSettings settings, BackendChoice backend) {}
