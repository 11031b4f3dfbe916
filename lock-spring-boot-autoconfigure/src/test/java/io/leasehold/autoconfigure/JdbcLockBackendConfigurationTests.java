package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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

    @Test
    void aPoolThatLocksUseUpIsTold(CapturedOutput output) {
        runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=4", "lock.jdbc.initialize-schema=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The connection pool is too small: it has at most 4 connections")
                .contains("the locks of 'lock.jdbc' keep up to 4")
                .contains("nothing is left for the rest of the application")
                .contains("lock.jdbc.data-source");
    }

    @Test
    void aPoolThatIsTooSmallForRowLocksIsTold(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.backend=row-lock", "lock.row-lock.initialize-schema=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The connection pool is too small: it has at most 10 connections")
                .contains("the locks of 'lock.row-lock' keep up to 13")
                .contains("they wait for each other's");
    }

    @Test
    void aPoolThatBelongsToTheLocksNeedsNoMoreThanTheyUse(CapturedOutput output) {
        runner.withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=4",
                        "lock.jdbc.data-source=dataSource",
                        "lock.jdbc.initialize-schema=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("The connection pool is too small");
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
}
