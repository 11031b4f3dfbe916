package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database that refuses connections because of the login or the database's name. Acquisitions fail immediately, with
 * the address and the user and without the password.
 */
class RefusedConnectionTests {

    @ParameterizedTest
    @CsvSource({
        "jdbc:mariadb://127.0.0.1:%m/locks?sslMode=disable, stranger, user or the password",
        "jdbc:mariadb://127.0.0.1:%m/absent?sslMode=disable, root, name of the database",
        "jdbc:postgresql://127.0.0.1:%p/postgres, stranger, user or the password",
        "jdbc:postgresql://127.0.0.1:%p/absent, postgres, name of the database",
        "jdbc:h2:mem:absent;IFEXISTS=TRUE, stranger, name of the database",
    })
    void acquisitionsFailImmediately(String url, String user, String nextStep) {
        try (HikariDataSource settings = new HikariDataSource()) {
            settings.setJdbcUrl(url.replace(
                            "%m", String.valueOf(MariaDbServer.shared().port()))
                    .replace("%p", String.valueOf(PostgresServer.shared().port())));
            settings.setUsername(user);
            settings.setPassword(user.equals("root") ? "" : "unsafe");
            assertRefused(
                    settings,
                    nextStep,
                    source -> JdbcLockBackend.withOwnPool(source, new JdbcLockOptions(), System::nanoTime));
            assertRefused(
                    settings,
                    nextStep,
                    source -> RowLockBackend.withOwnPool(source, new RowLockOptions(), System::nanoTime));
        }
    }

    /** Attempts are repeated until the caller gives up, which would not say why. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:mariadb://127.0.0.1:%m/locks?user=root&sslMode=trust, ssl not enabled",
        "jdbc:mysql://127.0.0.1:%m/locks?user=root&sslMode=REQUIRED, SSL Connection required",
        "jdbc:postgresql://127.0.0.1:%p/postgres?user=postgres&sslmode=require, does not support SSL",
    })
    void aServerWithoutTheTlsOfTheUrlIsNamedAsSuch(String url, String reason) {
        UrlDataSource source = new UrlDataSource(
                url.replace("%m", String.valueOf(MariaDbServer.shared().port()))
                        .replace("%p", String.valueOf(PostgresServer.shared().port())));
        try (LockBackend backend = JdbcLockBackend.withOwnPool(source, new JdbcLockOptions(), System::nanoTime)) {
            assertThatThrownBy(() -> backend.connect().toCompletableFuture().join())
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                    .hasMessageContaining(reason)
                    .hasMessageContaining("see whether the TLS settings in the URL fit the server");
        }
    }

    /** A user's connections are too many only until other clients close theirs. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void tooManyConnectionsOfAUserAreNoRefusal(TestDatabase database) throws SQLException {
        UrlDataSource owner = database.dataSource();
        owner.execute("DROP USER IF EXISTS limited");
        owner.execute("CREATE USER limited WITH MAX_USER_CONNECTIONS 1");
        owner.execute("GRANT ALL ON locks.* TO limited");
        database.backend().close();
        UrlDataSource limited = new UrlDataSource(owner.url().replace("user=root", "user=limited"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(limited, new JdbcLockOptions(), System::nanoTime)) {
            StoreClient client = TestDatabase.client(backend);
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            try (Connection other = limited.getConnection()) {
                assertThat(other.isValid(1)).isTrue();
                assertThatThrownBy(() ->
                                backend.acquire(command).toCompletableFuture().join())
                        .cause()
                        .isInstanceOfSatisfying(
                                BackendFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                        .hasMessageContaining("max_user_connections");
            }
            client.grant("a");
        }
    }

    private static void assertRefused(
            HikariDataSource settings, String nextStep, Function<HikariDataSource, LockBackend> backend) {
        String address = settings.getJdbcUrl().replaceFirst("[?;].*", "");
        try (LockBackend refused = backend.apply(settings)) {
            assertThatThrownBy(() -> refused.connect().toCompletableFuture().join())
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("(" + address + ", user '" + settings.getUsername() + "')")
                    .hasMessageContaining(nextStep)
                    .hasMessageNotContaining("unsafe");
        }
    }
}
