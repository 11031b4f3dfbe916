package io.leasehold.autoconfigure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Lockers in a database. */
@ExtendWith(OutputCaptureExtension.class)
class JdbcLockBackendConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "lock.lockers.deploy.backend=jdbc",
                    "lock.lockers.deploy.ttl=30s",
                    "lock.lockers.deploy.command-timeout=10s");

    @Test
    void aLockerLocksInATableThatIsCreatedOnRequest(CapturedOutput output) {
        runner.withPropertyValues("lock.jdbc.initialize-schema=true", "lock.jdbc.table=my_locks")
                .run(context -> {
                    assertThat(context.getBean(LockerRegistry.class)
                                    .status("deploy")
                                    .backend())
                            .isEqualTo("jdbc");
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    try (LockHandle handle = deploy.lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(deploy.tryLock("service-a")).isEmpty();
                    }
                });
        assertThat(output).contains("H2 in memory").doesNotContain("is missing").doesNotContain("ERROR");
    }

    @Test
    void aLockerLocksRowsOfATableThatIsCreatedOnRequest(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.backend=row-lock", "lock.row-lock.initialize-schema=true")
                .run(context -> {
                    assertThat(context.getBean(LockerRegistry.class)
                                    .status("deploy")
                                    .backend())
                            .isEqualTo("row-lock");
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    try (LockHandle handle = deploy.lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(deploy.tryLock("service-a")).isEmpty();
                    }
                });
        assertThat(output).doesNotContain("is missing").doesNotContain("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "row-lock"})
    void locksHoldNoConnectionOfTheApplicationsPool(String backend) {
        runner.withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "lock.lockers.deploy.backend=" + backend,
                        "lock." + backend + ".initialize-schema=true")
                .run(context -> {
                    HikariDataSource application = context.getBean(HikariDataSource.class);
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    try (Connection only = application.getConnection();
                            LockHandle handle = deploy.lock("service-a")) {
                        assertThat(only.isValid(1)).isTrue();
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(application.getHikariPoolMXBean().getActiveConnections())
                                .isEqualTo(1);
                    }
                    assertThat(application.getHikariPoolMXBean().getTotalConnections())
                            .isEqualTo(1);
                });
    }

    @Test
    void aDataSourceThatNoPoolCanBeDerivedFromIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withBean("routing", DataSource.class, Routing::new));

        assertThat(analysis.getDescription())
                .startsWith("'lock.jdbc.data-source' must be set, since the locks need a connection pool of their own")
                .contains("Routing");
        assertThat(analysis.getAction()).contains("'lock.jdbc.url'").contains("serves the locks alone");
    }

    @Test
    void besideSuchADataSourceTheDatabaseIsNamedByItsUrl() {
        runner.withBean("routing", DataSource.class, Routing::new)
                .withPropertyValues(
                        "lock.jdbc.url=jdbc:h2:mem:by-url;DB_CLOSE_DELAY=-1",
                        "lock.jdbc.username=sa",
                        "lock.jdbc.password=",
                        "lock.jdbc.initialize-schema=true")
                .run(JdbcLockBackendConfigurationTests::assertThatItLocks);
    }

    @Test
    void aDataSourceThatIsNamedIsThePoolOfTheLocks() {
        Routing routing = new Routing();
        runner.withBean("routing", DataSource.class, () -> routing)
                .withPropertyValues("lock.jdbc.data-source=routing", "lock.jdbc.initialize-schema=true")
                .run(JdbcLockBackendConfigurationTests::assertThatItLocks);
        assertThat(routing.opened).hasPositiveValue();
    }

    private static void assertThatItLocks(AssertableApplicationContext context) {
        try (LockHandle handle = context.getBean("deployLocker", Locker.class).lock("service-a")) {
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void aMissingTableIsToldWithItsDdl(CapturedOutput output) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output)
                            .contains(
                                    "Locks in 'jdbc' are less safe than they could be: table lock_lease: it is missing")
                            .contains("lock.jdbc.initialize-schema")
                            .containsIgnoringCase("create table"));
            assertThatThrownBy(
                            () -> context.getBean("deployLocker", Locker.class).tryLock("key"))
                    .isInstanceOf(LockBackendException.class);
        });
    }

    @Test
    void aDatabaseIsNotChosenUnlessItIsNamed() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues("lock.lockers.deploy.backend="));

        assertThat(analysis.getDescription()).contains("'lock.backend' must be set");
        assertThat(analysis.getAction()).contains("to one of [etcd, jdbc, memory, row-lock]");
    }

    @Test
    void oneOfSeveralDataSourcesHasToBeNamed() {
        ApplicationContextRunner two = runner.withBean("one", DataSource.class, DriverManagerDataSource::new)
                .withBean("two", DataSource.class, DriverManagerDataSource::new);

        assertThat(StartFailures.of(two).getDescription())
                .isEqualTo("'lock.jdbc.data-source' must be set, since there are several beans of type DataSource:"
                        + " [one, two].");
    }

    @Test
    void whatTheStoreRefusesIsToldByItsPrefix() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues("lock.jdbc.connections=0"));

        assertThat(analysis.getDescription())
                .isEqualTo("'lock.jdbc' cannot be used: 'connections' must be from 1 to 64: 0.");
    }

    @Test
    void unusedRowsArePurgedWhileTheApplicationRuns() {
        runner.withPropertyValues("lock.jdbc.initialize-schema=true")
                .run(context -> assertThat(context.getBean(JdbcLockPurge.class).isRunning())
                        .isTrue());
        runner.withPropertyValues("lock.jdbc.initialize-schema=true", "lock.jdbc.purge-interval=0")
                .run(context -> assertThat(context.getBean(JdbcLockPurge.class).isRunning())
                        .isFalse());
    }

    /** A data source that does not say where its connections come from. */
    private static final class Routing extends AbstractDataSource {

        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public Connection getConnection() throws SQLException {
            opened.incrementAndGet();
            return DriverManager.getConnection("jdbc:h2:mem:routed;DB_CLOSE_DELAY=-1");
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }
}
