package io.leasehold.jdbc;

import io.leasehold.spi.BackendFailure;

/** There are no lock statements for this database. */
final class UnsupportedDatabaseException extends BackendFailure {

    private static final long serialVersionUID = 1L;

    UnsupportedDatabaseException(String message) {
        super(Effect.REFUSED, message, null);
    }
}
