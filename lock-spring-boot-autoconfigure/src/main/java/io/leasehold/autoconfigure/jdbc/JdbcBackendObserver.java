package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcMonitored;

/** Receives each backend in a database when it is created, which is when the first locker needs it. */
@FunctionalInterface
interface JdbcBackendObserver {

    /** Called once for each backend, with its name. */
    void created(String name, JdbcMonitored backend);
}
