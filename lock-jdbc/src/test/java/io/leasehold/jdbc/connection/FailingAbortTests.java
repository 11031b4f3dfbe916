package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.jdbc.PlainDataSource;
import io.leasehold.jdbc.UrlDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A driver that fails when a connection is aborted. */
class FailingAbortTests {

    @Test
    void anotherConnectionCanBeOpenedAfterwards() throws Exception {
        Duration longest = Duration.ofSeconds(20);
        try (HikariDataSource pool = LockDataSource.over(new Stubborn(), "stubborn", 1)) {
            LockConnections sessions = new LockConnections(pool, longest, longest);
            LockConnection first = Awaitility.await().ignoreExceptions().until(sessions::open, Objects::nonNull);
            ConnectionAbort.begin(first).get(20, TimeUnit.SECONDS);
            LockConnection second = Awaitility.await().ignoreExceptions().until(sessions::open, Objects::nonNull);
            assertThat(second.connection()).isNotSameAs(first.connection());
            second.close();
        }
    }

    private static final class Stubborn extends PlainDataSource {

        private final UrlDataSource database = new UrlDataSource("jdbc:h2:mem:stubborn;DB_CLOSE_DELAY=-1");

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = database.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("abort") || method.getName().equals("isClosed")) {
                            throw new IllegalStateException("does not let go");
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException ex) {
                            throw ex.getCause();
                        }
                    });
        }
    }
}
