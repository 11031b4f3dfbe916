package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Causes that a pool reports for a connection that it could not open. */
class ConnectionErrorTests {

    @ParameterizedTest
    @CsvSource({
        "28000, 1045, true",
        "42000, 1049, true",
        "3D000, 0, true",
        // limits of connections per user
        "42000, 1203, false",
        "42000, 1226, false",
        // MariaDB's driver: the server ended the connection while it was opened
        "42000, -1, false",
        "08000, -1, false",
    })
    void onlyAPermanentReasonIsARefusal(String state, int code, boolean isRefusal) {
        SQLTransientConnectionException none = new SQLTransientConnectionException("none is available");
        none.initCause(new SQLException("no", state, code));
        assertThat(new ConnectionError(none).isRefusal()).isEqualTo(isRefusal);
    }

    @ParameterizedTest
    @CsvSource({
        "The hostname db could not be verified by hostnameverifier PgjdbcHostnameVerifier., true",
        "'(conn=14) SSL hostname verification failed : DNS host \"db\" does not correspond', true",
        "'FATAL: sorry, too many clients already (jdbc:postgresql://ssl.example/shop)', false",
    })
    void aDriverMaySayThatTlsFailedWithoutACauseOfThatType(String message, boolean isOfTls) {
        SQLTransientConnectionException none = new SQLTransientConnectionException("none is available");
        none.initCause(new SQLException("link failure", "08000", new SQLException(message)));
        ConnectionError error = new ConnectionError(none);
        assertThat(error.isOfTls()).isEqualTo(isOfTls);
        assertThat(error.reason().contains(message)).isEqualTo(isOfTls);
    }

    /** A further attempt may succeed, for example after the restart of the server. */
    @Test
    void aConnectionThatEndsDuringTheHandshakeIsNoFailureOfTls() {
        assertThat(handshake(new EOFException("SSL peer shut down incorrectly")).isOfTls())
                .isFalse();
        assertThat(handshake(new SocketException("Connection reset")).isOfTls()).isFalse();
        assertThat(handshake(new SocketTimeoutException("Read timed out")).isOfTls())
                .isFalse();
        assertThat(handshake(new SSLException("Unsupported or unrecognized SSL message"))
                        .isOfTls())
                .isTrue();
    }

    /** Whoever adds the messages of the causes, as the health of a store does, finds this one in the reason. */
    @Test
    void theReasonIsThatOfTheExceptionWhichRepeatsItsCause() {
        CertPathBuilderException untrusted = new CertPathBuilderException("no valid path");
        assertThat(handshake(new CertificateException("PKIX path building failed: no valid path", untrusted))
                        .reason())
                .startsWith("link failure: PKIX path building failed: no valid path. TLS failed: ");
    }

    private static ConnectionError handshake(Throwable cause) {
        SQLTransientConnectionException none = new SQLTransientConnectionException("none is available");
        Throwable handshake = new SSLHandshakeException("the handshake failed").initCause(cause);
        none.initCause(new SQLException("link failure", "08000", handshake));
        return new ConnectionError(none);
    }

    @Test
    void aFailureOfTlsNamesItsReason() {
        SQLTransientConnectionException none = new SQLTransientConnectionException("none is available");
        none.initCause(new SQLException("link failure", "08000", new SSLHandshakeException("expired")));
        assertThat(new ConnectionError(none).reason()).startsWith("link failure: expired. TLS failed: ");
    }
}
