package io.leasehold.jdbc.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a pool has no connection. The pool's exception only says that none is available; its cause says why. */
record ConnectionError(SQLTransientConnectionException ex) {

    /** SQL states of refused connections: credentials, catalog, permission; H2 has states of its own. */
    private static final List<String> REFUSED_CONNECTIONS = List.of("28", "3D", "42", "90013", "90146", "90149");

    /**
     * Codes of errors that have the SQL state of a missing database: MySQL's and MariaDB's limits of connections per
     * user, and the own errors of MariaDB's driver, such as that of a connection that ended while it was opened.
     */
    private static final Set<Integer> NO_REFUSALS = Set.of(1203, 1226, SqlError.MARIADB_DRIVER);

    /** What drivers say about TLS if no {@link SSLException} is the cause. */
    private static final List<String> TLS = List.of(
            "does not support SSL",
            "hostnameverifier",
            "ssl not enabled in the server",
            "SSL hostname verification failed",
            "SSL Connection required");

    /**
     * Whether the database refused the connection for a permanent reason, such as a wrong password or the name of a
     * missing database.
     */
    boolean isRefusal() {
        return !(ex.getCause() instanceof SQLException cause && NO_REFUSALS.contains(cause.getErrorCode()))
                && REFUSED_CONNECTIONS.stream().anyMatch(state()::startsWith);
    }

    boolean isOfUnknownHost() {
        return hasCause(UnknownHostException.class);
    }

    /** Whether nothing listens at the address. */
    boolean isOfClosedPort() {
        return hasCause(ConnectException.class);
    }

    /**
     * Whether TLS failed, or only one of client and server uses it. A connection that ended or did not answer during the
     * handshake, as while a server restarts, has such a failure with another cause.
     */
    boolean isOfTls() {
        return hasCause(SSLException.class)
                        && causes().noneMatch(cause -> cause instanceof IOException && !(cause instanceof SSLException))
                || causes().anyMatch(cause -> TLS.stream().anyMatch(String.valueOf(cause.getMessage())::contains));
    }

    String reason() {
        String reason = String.valueOf((ex.getCause() == null ? ex : ex.getCause()).getMessage());
        if (!isOfTls()) {
            return reason;
        }
        // the innermost message, or the enclosing one if it says the same and more
        String innermost = causes().map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .reduce((outer, inner) -> outer.contains(inner) ? outer : inner)
                .orElse("");
        return (reason.contains(innermost) ? reason : reason + ": " + innermost)
                + ". TLS failed: connect by a host name that is in the server's certificate, and see whether the TLS"
                + " settings in the URL fit the server";
    }

    /** What to do about a refusal. */
    String nextStep() {
        return state().startsWith("28")
                ? "Correct the user or the password, and use TLS if the database requires it"
                : "Correct the name of the database, create it, or let the user connect to it";
    }

    private String state() {
        @Nullable String state = ex.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
        return state == null ? "" : state;
    }

    private boolean hasCause(Class<? extends Throwable> type) {
        return causes().anyMatch(type::isInstance);
    }

    private Stream<Throwable> causes() {
        return Stream.iterate((Throwable) ex, Objects::nonNull, Throwable::getCause);
    }
}
