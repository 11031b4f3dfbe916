package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A connection that two threads discard: one aborts it, and the other gets an error from it. */
class DiscardedConnectionTests {

    @Test
    void aConnectionIsEvictedAndClosedOnce() {
        List<String> calls = new ArrayList<>();
        AtomicReference<LockConnection> session = new AtomicReference<>();
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    if (method.getName().equals("abort")) {
                        // the other thread is woken by the error and discards the connection at the same time
                        session.get().discard();
                    }
                    return null;
                });
        session.set(new LockConnection(
                connection, DatabaseDialect.POSTGRESQL, Duration.ofSeconds(1), 0, evicted -> calls.add("evict")));
        session.get().abort();
        assertThat(calls).containsExactly("abort", "evict", "close");
    }
}
