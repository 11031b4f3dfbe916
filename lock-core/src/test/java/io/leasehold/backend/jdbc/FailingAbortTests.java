package io.leasehold.backend.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A driver that fails when it is told to let go of a connection. */
class FailingAbortTests {

    @Test
    void thereIsRoomForAnotherConnectionAfterwards() throws Exception {
        Duration patience = Duration.ofSeconds(20);
        try (SessionPool pool = new SessionPool(new Stubborn(), patience, patience, 1, 1, System::nanoTime)) {
            Session first = pool.take(0);
            pool.abort(first).get(20, TimeUnit.SECONDS);
            Session second = pool.take(0);
            assertThat(second).isNotSameAs(first);
            pool.giveBack(second);
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
