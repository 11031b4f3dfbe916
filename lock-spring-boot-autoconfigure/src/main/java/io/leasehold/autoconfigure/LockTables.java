package io.leasehold.autoconfigure;

import io.leasehold.spi.BackendFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates tables at start-up. A database that is not there yet does not keep the application from starting. */
final class LockTables {

    private static final Logger log = LoggerFactory.getLogger(LockTables.class);

    private LockTables() {}

    static void create(Runnable initializeSchema) {
        try {
            initializeSchema.run();
        } catch (BackendFailure ex) {
            log.warn("Tables for locks were not created; no lock can be taken unless they are there", ex);
        }
    }
}
