package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.event.LockAcquiredEvent;
import io.leasehold.event.LockLostEvent;
import io.leasehold.event.LockReleasedEvent;
import io.leasehold.servers.database.PostgresServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Where keys appear outside of the caller's code, with and without {@code lock.mask-keys}. */
@ExtendWith(OutputCaptureExtension.class)
class MaskedKeysTests {

    private static final String KEY = "alice@example.org";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockDisabledAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class);

    private final ApplicationContextRunner memory =
            runner.withPropertyValues("lock.backend=memory", "lock.mask-keys=true");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noChannelHasAKeyIfKeysAreMasked(boolean masked, CapturedOutput output) {
        String table = "masked_" + masked;
        Map<String, String> channels = new LinkedHashMap<>();
        runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withBean(CircuitBreakerRegistry.class, CircuitBreakerRegistry::ofDefaults)
                .withBean(Heard.class)
                .withPropertyValues(
                        "lock.mask-keys=" + masked,
                        "lock.backend=jdbc",
                        "lock.jdbc.url=" + PostgresServer.shared().url(),
                        "lock.jdbc.table=" + table,
                        "lock.jdbc.initialize-schema=true",
                        "lock.defaults.command-timeout=5s",
                        "lock.events.publish=acquired,released,lost",
                        "lock.circuit-breaker.enabled=true",
                        "management.endpoint.locks.show-values=always",
                        "management.endpoints.web.exposure.include=locks",
                        "spring.datasource.url=" + PostgresServer.shared().url())
                .run(context -> {
                    LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
                    logging.setLogLevel("io.leasehold", LogLevel.TRACE);
                    try (Connection database =
                            DriverManager.getConnection(PostgresServer.shared().url())) {
                        drive(context, database, table, channels);
                    } finally {
                        logging.setLogLevel("io.leasehold", null);
                    }
                });
        channels.put("log", output.toString());

        assertThat(channels).allSatisfy((channel, text) -> assertThat(text).isNotBlank());
        if (masked) {
            assertThat(channels).allSatisfy((channel, text) -> assertThat(text).doesNotContain("alice"));
            assertThat(channels.get("handle")).isEqualTo(LockKeys.mask(KEY));
        } else {
            assertThat(channels.keySet().stream()
                            .filter(channel -> channels.get(channel).contains(KEY)))
                    .containsExactly(
                            "handle", "row", "endpoint", "not acquired", "lost", "store failed", "events", "log");
        }
    }

    private static void drive(
            ApplicationContext context, Connection database, String table, Map<String, String> channels)
            throws SQLException {
        Locker locker = context.getBean(Locker.class);
        execute(database, "LISTEN leasehold");
        LockHandle held = locker.lock(KEY);
        channels.put("handle", held.key());
        channels.put("row", rows(database, table));
        channels.put("endpoint", context.getBean(LocksEndpoint.class).locks().toString());
        channels.put("meters", context.getBean(SimpleMeterRegistry.class).getMetersAsString());
        LockRequest withoutWaiting = LockRequest.of(KEY).withWaitTime(Duration.ZERO);
        channels.put("not acquired", trace(() -> locker.lock(withoutWaiting), LockNotAcquiredException.class));

        // a waiter of another process is one that asks for a notification
        execute(database, "UPDATE " + table + " SET told_below = " + Long.MAX_VALUE);
        held.release();
        channels.put("notification", notification(database));

        LockHandle lost = locker.lock(KEY);
        execute(database, "DELETE FROM " + table);
        channels.put("lost", trace(lost::renew, LockLostException.class));

        execute(database, "DROP TABLE " + table);
        channels.put("store failed", trace(() -> locker.lock(withoutWaiting), LockBackendException.class));
        Heard heard = context.getBean(Heard.class);
        await().until(() -> heard.events.stream().anyMatch(LockLostEvent.class::isInstance));
        channels.put("events", heard.events.toString());
    }

    @Test
    void nestedCallsJoinALockWithAMaskedKey() {
        memory.withBean(Work.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            Work work = context.getBean(Work.class);
            locker.executeLocked(KEY, () -> {
                assertThat(LockContext.find("default", KEY)).isPresent();
                assertThat(work.run(KEY)).isEqualTo(LockContext.current().orElseThrow());
                assertThat(work.runAsync(KEY).join())
                        .isEqualTo(LockContext.current().orElseThrow());
                return locker.executeLocked(KEY, () -> "joined");
            });
            assertThat(work.run(KEY).key()).isEqualTo(LockKeys.mask(KEY));
        });
    }

    @Test
    void aKeyThatIsNotValidIsRefusedAsWithoutMasks() {
        memory.run(context -> {
            Locker locker = context.getBean(Locker.class);
            assertThatIllegalArgumentException().isThrownBy(() -> locker.describe(" "));
        });
    }

    @Test
    void transactionsJoinALockWithAMaskedKey() {
        TransactionTemplate transaction = new FakeTransactions().template(PROPAGATION_REQUIRED);
        memory.withBean(Work.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            Work work = context.getBean(Work.class);
            transaction.executeWithoutResult(status -> {
                locker.lock(KEY).close();
                assertThat(locker.tryLock(KEY)).isPresent();
                assertThat(work.run(KEY).isHeld()).isTrue();
            });
            assertThat(locker.tryLock(KEY)).isPresent();
        });
    }

    @Test
    void disabledLockersMaskKeysAsWell() {
        runner.withPropertyValues("lock.enabled=false", "lock.disabled-mode=fail", "lock.mask-keys=true")
                .run(context -> assertThat(
                                trace(() -> context.getBean(Locker.class).lock(KEY), LockBackendException.class))
                        .contains(LockKeys.mask(KEY))
                        .doesNotContain("alice"));
    }

    private static String trace(Runnable action, Class<? extends Throwable> expected) {
        Throwable thrown = catchThrowable(action::run);
        assertThat(thrown).isInstanceOf(expected);
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    private static void execute(Connection database, String sql) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String rows(Connection database, String table) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery("SELECT row_to_json(t)::text FROM " + table + " t")) {
            while (rows.next()) {
                all.append(rows.getString(1)).append('\n');
            }
        }
        return all.toString();
    }

    private static String notification(Connection database) throws SQLException {
        List<String> payloads = new CopyOnWriteArrayList<>();
        PGConnection listening = database.unwrap(PGConnection.class);
        await().until(() -> {
            PGNotification[] received = listening.getNotifications(100);
            for (PGNotification notification : received == null ? new PGNotification[0] : received) {
                payloads.add(notification.getParameter());
            }
            return payloads.stream().anyMatch(payload -> !payload.isEmpty());
        });
        return payloads.toString();
    }

    static class Work {

        @DistributedLock("#key")
        public LockHandle run(String key) {
            return LockContext.current().orElseThrow();
        }

        @DistributedLock("#key")
        public CompletableFuture<LockHandle> runAsync(String key) {
            return CompletableFuture.completedFuture(LockContext.current().orElseThrow());
        }
    }

    static class Heard {

        final List<Object> events = new CopyOnWriteArrayList<>();

        @EventListener({LockAcquiredEvent.class, LockReleasedEvent.class, LockLostEvent.class})
        void hear(Object event) {
            events.add(event);
        }
    }
}
