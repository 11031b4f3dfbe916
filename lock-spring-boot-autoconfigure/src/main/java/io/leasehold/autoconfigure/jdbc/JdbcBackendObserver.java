package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLockBackend;

/** Receives the lease backend when it is created, which is when the first locker needs it. */
@FunctionalInterface
interface JdbcBackendObserver {

    /** Called once for each backend. */
    void created(JdbcLockBackend backend);
}
