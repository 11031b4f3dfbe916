package io.leasehold.autoconfigure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/** Locks in a database that Spring Boot initializes, here with scripts. It orders Flyway and Liquibase the same way. */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseInitializationTests {

    private static final String LOG = "The store of 'lock.%s' is opened before the database is initialized";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withInitializer(context -> context.addProtocolResolver(DatabaseInitializationTests::script))
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    LockAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "lock.defaults.command-timeout=10s",
                    "lock.defaults.ttl=30s");

    /** Flyway refuses a schema in which it finds a table. */
    @ParameterizedTest
    @CsvSource({"jdbc, locks.lock_lease", "row-lock, locks.lock_row"})
    void theLockTableIsCreatedAfterTheDatabaseIsInitialized(String backend, String table, CapturedOutput output) {
        runner.withPropertyValues(
                        "lock.backend=" + backend,
                        "lock." + backend + ".table=" + table,
                        "lock." + backend + ".initialize-schema=true",
                        "spring.sql.init.schema-locations=script:CREATE SCHEMA locks")
                .withBean("first", Application.class)
                .run(context ->
                        assertThat(context.getBean(Application.class).result).isEqualTo("locked"));
        assertThat(output).doesNotContain(LOG.formatted(backend));
    }

    /** As a migration does. */
    @ParameterizedTest
    @CsvSource({"jdbc, schema-h2.sql", "row-lock, schema-row-h2.sql"})
    void aBeanLocksWhileItIsCreatedInATableOfTheInitialization(String backend, String script) {
        runner.withPropertyValues(
                        "lock.backend=" + backend,
                        "spring.sql.init.schema-locations=classpath:io/leasehold/jdbc/" + script)
                .withBean("first", Application.class)
                .run(context ->
                        assertThat(context.getBean(Application.class).result).isEqualTo("locked"));
    }

    /** As a strategy or a callback of Flyway does. It cannot wait for itself. */
    @ParameterizedTest
    @CsvSource({"jdbc", "row-lock"})
    void anInitializationThatLocksDoesNotWaitForItself(String backend, CapturedOutput output) {
        Logger logger = (Logger) LoggerFactory.getLogger(DatabaseInitialization.class);
        logger.setLevel(Level.INFO);
        try {
            runner.withPropertyValues("lock.backend=" + backend, "lock." + backend + ".initialize-schema=true")
                    .withBean("initializer", LockedInitializer.class)
                    .run(context -> assertThat(context).hasSingleBean(LockedInitializer.class));
        } finally {
            logger.setLevel(null);
        }
        assertThat(output).contains(LOG.formatted(backend)).contains("spring.flyway.baseline-on-migrate");
    }

    @Test
    void aFailedInitializationFailsTheStart() {
        runner.withPropertyValues("lock.backend=jdbc", "spring.sql.init.schema-locations=script:CREATE NONSENSE")
                .withBean("first", Application.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("CREATE NONSENSE"));
    }

    /** As in an application that has HikariCP and the URL of a database for locks alone. */
    @Test
    void springBootsSupportForDatabasesIsNotNeeded() {
        new ApplicationContextRunner()
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.sql", "org.springframework.boot.jdbc"))
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues(
                        "lock.backend=jdbc",
                        "lock.jdbc.url=jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1",
                        "lock.jdbc.initialize-schema=true")
                .withBean("first", Application.class)
                .run(context ->
                        assertThat(context.getBean(Application.class).result).isEqualTo("locked"));
    }

    /** A script whose text is its location. */
    private static @Nullable Resource script(String location, ResourceLoader loader) {
        return location.startsWith("script:")
                ? new ByteArrayResource(location.substring("script:".length()).getBytes(StandardCharsets.UTF_8))
                : null;
    }

    static final class Application {

        final String result;

        Application(Locker locker) throws Exception {
            result = locker.executeLocked("start", () -> "locked");
        }
    }

    static final class LockedInitializer extends DataSourceScriptDatabaseInitializer {

        LockedInitializer(Locker locker, DataSource database) throws Exception {
            super(database, new DatabaseInitializationSettings());
            locker.executeLocked("migration", () -> "migrated");
        }
    }
}
