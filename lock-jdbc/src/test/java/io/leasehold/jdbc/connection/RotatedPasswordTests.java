package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A password that changes while the application runs, as a token of RDS does after 15 minutes. */
class RotatedPasswordTests {

    /** With it, HikariCP asks subclasses for their password, as its versions before 7 did. */
    private static final String LEGACY = "com.zaxxer.hikari.legacy.supportUserPassDataSourceOverride";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    private final AtomicReference<String> password = new AtomicReference<>("first");

    private Connection owner;

    @BeforeEach
    void createUser() throws SQLException {
        owner = DriverManager.getConnection(url, "owner", "secret");
        execute("CREATE USER app PASSWORD 'first'");
    }

    @AfterEach
    void drop() throws SQLException {
        System.clearProperty(LEGACY);
        owner.close();
    }

    @Test
    void aPasswordThatTheApplicationSetsOpensTheNextConnection() throws SQLException {
        try (HikariDataSource application = new HikariDataSource()) {
            application.setUsername("app");
            application.setPassword("first");
            assertRotates(application, () -> application.setPassword("second"));
        }
    }

    @Test
    void aCredentialsProviderIsAskedForEachConnection() throws SQLException {
        try (HikariDataSource application = new HikariDataSource()) {
            application.setCredentialsProvider(() -> Credentials.of("app", password.get()));
            assertRotates(application, () -> {});
        }
    }

    /** HikariCP does not ask for the password that is set beside a provider either. */
    @Test
    void aCredentialsProviderReplacesThePassword() throws SQLException {
        try (HikariDataSource application = new HikariDataSource()) {
            application.setUsername("app");
            application.setPassword("first");
            application.setCredentialsProvider(() -> Credentials.of("app", password.get()));
            assertRotates(application, () -> {});
        }
    }

    @Test
    void aPoolThatOverridesItsCredentialsIsAskedForEachConnection() throws SQLException {
        try (HikariDataSource application = new HikariDataSource() {
            @Override
            public Credentials getCredentials() {
                return Credentials.of("app", password.get());
            }
        }) {
            assertRotates(application, () -> {});
        }
    }

    @Test
    void aPoolThatOverridesItsPasswordIsAskedForEachConnection() throws SQLException {
        System.setProperty(LEGACY, "true");
        try (HikariDataSource application = new HikariDataSource() {
            @Override
            public String getPassword() {
                return password.get();
            }
        }) {
            application.setUsername("app");
            assertRotates(application, () -> {});
        }
    }

    private void assertRotates(HikariDataSource application, Runnable change) throws SQLException {
        application.setJdbcUrl(url);
        try (HikariDataSource locks = LockDataSource.over(application, "rotated", 1)) {
            awaitConnection(locks);
            execute("ALTER USER app SET PASSWORD 'second'");
            locks.getHikariPoolMXBean().softEvictConnections();
            assertThatThrownBy(locks::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            password.set("second");
            change.run();
            awaitConnection(locks);
        }
    }

    /** The pool waits half a second for a connection, and makes a pause after a failed attempt. */
    private static void awaitConnection(HikariDataSource locks) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(SQLTransientConnectionException.class)
                .untilAsserted(() -> locks.getConnection().close());
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }
}
