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
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

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

    /** This instance would otherwise lock in the database of the application, and others in that of the URL. */
    @ParameterizedTest
    @ValueSource(strings = {"lock.jdbc.username", "lock.jdbc.password"})
    void aLoginWithoutAUrlIsRefused(String property) {
        assertThat(StartFailures.of(runner.withPropertyValues(property + "=locks", "lock.jdbc.url="))
                        .getDescription())
                .startsWith("'lock.jdbc.url' must be set, since '" + property + "' is");
    }

    @Test
    void aLoginWithoutAValueIsNotSet() {
        runner.withPropertyValues("lock.jdbc.username=", "lock.jdbc.password=", "lock.jdbc.url=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aUrlAndADataSourceAreRefused() {
        assertThat(StartFailures.of(runner.withPropertyValues(
                                "lock.jdbc.url=jdbc:h2:mem:x", "lock.jdbc.data-source=dataSource"))
                        .getDescription())
                .startsWith("'lock.jdbc.data-source' has no meaning beside 'lock.jdbc.url'");
    }

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
                    // the store is checked beside the first lock
                    await().untilAsserted(() -> assertThat(output).contains("H2 in memory"));
                });
        assertThat(output).doesNotContain("is missing").doesNotContain("ERROR");
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
        FailureAnalysis analysis = StartFailures.of(runner.withBean("routing", DataSource.class, OtherPool::new));

        assertThat(analysis.getDescription())
                .startsWith("'lock.jdbc.data-source' must be set, since the locks need a connection pool of their own")
                .contains("OtherPool");
        assertThat(analysis.getAction()).contains("'lock.jdbc.url'").contains("serves the locks alone");
    }

    @Test
    void besideSuchADataSourceTheDatabaseIsNamedByItsUrl() {
        runner.withBean("routing", DataSource.class, OtherPool::new)
                .withPropertyValues(
                        "lock.jdbc.url=jdbc:h2:mem:by-url;DB_CLOSE_DELAY=-1",
                        "lock.jdbc.username=sa",
                        "lock.jdbc.password=",
                        "lock.jdbc.initialize-schema=true")
                .run(JdbcLockBackendConfigurationTests::assertThatItLocks);
    }

    @ParameterizedTest
    @CsvSource({"jdbc, lock.jdbc", "row-lock, lock.row-lock"})
    void aDatabaseNamedByItsUrlNeedsNoDataSource(String backend, String prefix) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues(
                        "lock.backend=" + backend,
                        prefix + ".url=jdbc:h2:mem:" + backend + ";DB_CLOSE_DELAY=-1",
                        prefix + ".initialize-schema=true")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(DataSource.class);
                    assertThat(context.getBean(Locker.class).executeLocked("7", () -> "locked"))
                            .isEqualTo("locked");
                });
    }

    @Test
    void aUrlThatNoDriverAcceptsIsRefused() {
        FailureAnalysis analysis =
                StartFailures.of(runner.withPropertyValues("lock.jdbc.url=jdbc:oracle:thin:locks/secret@db:1521/shop"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.jdbc.url' is a URL that no JDBC driver on the class path accepts. It is set in ")
                .doesNotContain("secret");
        assertThat(analysis.getAction()).contains("jdbc:", "driver");
    }

    @Test
    void aUrlWithoutAPoolOnTheClassPathIsRefused() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withBean("pool", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:bean"))
                        .withClassLoader(new FilteredClassLoader(HikariDataSource.class))
                        .withPropertyValues("lock.jdbc.url=jdbc:h2:mem:by-url"));

        assertThat(analysis.getDescription())
                .contains("'lock.jdbc.url' needs a connection pool, and HikariCP is not on the class path");
        assertThat(analysis.getAction()).contains("com.zaxxer:HikariCP").contains("'lock.jdbc.data-source'");
    }

    @Test
    void aDataSourceThatIsNamedIsThePoolOfTheLocks() {
        OtherPool pool = new OtherPool();
        runner.withBean("routing", DataSource.class, () -> pool)
                .withPropertyValues("lock.jdbc.data-source=routing", "lock.jdbc.initialize-schema=true")
                .run(JdbcLockBackendConfigurationTests::assertThatItLocks);
        assertThat(pool.opened).hasPositiveValue();
    }

    @Test
    void besideAnotherPoolTheDatabaseIsThatOfTheConnectionDetails() throws SQLException {
        String url = "jdbc:h2:mem:by-details";
        OtherPool pool = new OtherPool();
        try (Connection owner = DriverManager.getConnection(url, "locks", "secret")) {
            runner.withBean("pool", DataSource.class, () -> pool)
                    .withBean("details", JdbcConnectionDetails.class, () -> new Details(url, "locks", "secret"))
                    .withPropertyValues("lock.jdbc.initialize-schema=true")
                    .run(JdbcLockBackendConfigurationTests::assertThatItLocks);

            assertThat(leases(owner)).isEqualTo(1);
        }
        assertThat(pool.opened).hasValue(0);
    }

    @Test
    void severalConnectionDetailsSayNothingAboutAPool() {
        FailureAnalysis analysis = StartFailures.of(runner.withBean("pool", DataSource.class, OtherPool::new)
                .withBean("one", JdbcConnectionDetails.class, () -> new Details("jdbc:h2:mem:one", "sa", ""))
                .withBean("two", JdbcConnectionDetails.class, () -> new Details("jdbc:h2:mem:two", "sa", "")));

        assertThat(analysis.getDescription())
                .startsWith("'lock.jdbc.data-source' must be set")
                .contains("OtherPool");
    }

    @Test
    void aProxyInFrontOfAPoolIsSeenThrough() {
        runner.withBean("proxy", DataSource.class, () -> new LazyConnectionDataSourceProxy(hikari("proxied")))
                .withPropertyValues("lock.jdbc.initialize-schema=true")
                .run(context -> {
                    assertThatItLocks(context);
                    HikariDataSource application =
                            context.getBean("proxy", DataSource.class).unwrap(HikariDataSource.class);
                    assertThat(application.isRunning()).isFalse();
                });
    }

    /** It would lead the locks to the pool that happens to be chosen while the application starts. */
    @ParameterizedTest
    @MethodSource("proxies")
    void aRoutingDataSourceIsRefusedWhateverItLeadsTo(UnaryOperator<DataSource> proxy) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "first";
            }
        };
        routing.setTargetDataSources(Map.of("first", hikari("first"), "second", hikari("second")));
        routing.afterPropertiesSet();

        FailureAnalysis analysis = StartFailures.of(runner.withBean(
                        "routing", DataSource.class, () -> proxy.apply(routing))
                .withBean("details", JdbcConnectionDetails.class, () -> new Details("jdbc:h2:mem:first", "sa", "")));

        assertThat(analysis.getDescription())
                .startsWith("'lock.jdbc.data-source' must be set, since the locks need a connection pool of their own");
        assertThat(analysis.getAction()).contains("'lock.jdbc.url'").contains("serves the locks alone");
    }

    /** The first lock of each instance would choose the database, since the locker may be created by its caller. */
    @Test
    void aRoutingDataSourceOfALibraryIsRefused() {
        assertThat(StartFailures.of(runner.withBean(
                                "routing", DataSource.class, () -> new OfLibrary.Routing(hikari("first"))))
                        .getDescription())
                .startsWith("'lock.jdbc.data-source' must be set")
                .contains("OfLibrary$Routing");
    }

    static Stream<Named<UnaryOperator<DataSource>>> proxies() {
        return Stream.of(
                Named.of("no proxy", one -> one),
                Named.of("Spring's proxy", LazyConnectionDataSourceProxy::new),
                Named.of("a library's proxy", JdbcLockBackendConfigurationTests::ofLibrary));
    }

    /** Its target has the user of the application's own connections, or none. */
    @ParameterizedTest
    @MethodSource("proxies")
    void anUnpooledDataSourceOpensConnectionsWithTheCredentialsOfItsAdapter(UnaryOperator<DataSource> proxy)
            throws SQLException {
        String url = "jdbc:h2:mem:adapted";
        UserCredentialsDataSourceAdapter adapter = new UserCredentialsDataSourceAdapter();
        adapter.setTargetDataSource(new DriverManagerDataSource(url));
        adapter.setUsername("locks");
        adapter.setPassword("secret");
        try (Connection owner = DriverManager.getConnection(url, "locks", "secret")) {
            runner.withBean("adapter", DataSource.class, () -> proxy.apply(adapter))
                    .withPropertyValues("lock.jdbc.initialize-schema=true")
                    .run(JdbcLockBackendConfigurationTests::assertThatItLocks);

            assertThat(leases(owner)).isEqualTo(1);
        }
    }

    /** As {@code @AutoConfigureTestDatabase} replaces the data source. The connection details are those of the other. */
    @Test
    void theEmbeddedDatabaseOfATestHasItsLocks() throws SQLException {
        EmbeddedDatabase embedded = new EmbeddedDatabaseBuilder()
                .setType(EmbeddedDatabaseType.H2)
                .generateUniqueName(true)
                .build();
        try (Connection connection = embedded.getConnection()) {
            runner.withBean("dataSource", DataSource.class, () -> embedded)
                    .withBean(
                            "details", JdbcConnectionDetails.class, () -> new Details("jdbc:h2:mem:replaced", "sa", ""))
                    .withPropertyValues("lock.jdbc.initialize-schema=true")
                    .run(JdbcLockBackendConfigurationTests::assertThatItLocks);

            assertThat(leases(connection)).isEqualTo(1);
        }
    }

    private static int leases(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM lock_lease")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** As those that log statements: only JDBC's own methods lead to the target. */
    private static DataSource ofLibrary(DataSource target) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(target, arguments));
    }

    private static HikariDataSource hikari(String database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
        return pool;
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
            assertThatThrownBy(
                            () -> context.getBean("deployLocker", Locker.class).tryLock("key"))
                    .isInstanceOf(LockBackendException.class);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output)
                            .contains(
                                    "Locks in 'jdbc' are less safe than they could be: table lock_lease: it is missing")
                            .contains("lock.jdbc.initialize-schema")
                            .containsIgnoringCase("create table"));
        });
    }

    @Test
    void aDatabaseIsNotChosenUnlessItIsNamed() {
        FailureAnalysis analysis = StartFailures.of(new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true", "lock.lockers.deploy.ttl=30s"));

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            connections     | 0     | 'lock.jdbc.connections' must be from 1 to 64: 0
            table           | my-table | 'lock.jdbc.table' must be a name of letters, digits and '_', with a schema in front if need be: 'my-table'
            command-timeout | 500ms | 'lock.jdbc.command-timeout' must not be shorter than 'lock.jdbc.lock-wait' (1s): 500ms
            retention       | 1500ms | 'lock.jdbc.retention' must be at least 1m: 1s500ms
            """)
    void aValueThatTheStoreRefusesIsNamedByItsProperty(String property, String value, String text) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues("lock.jdbc." + property + "=" + value));

        assertThat(analysis.getDescription())
                .isEqualTo(text + ". It is set in \"lock.jdbc." + property + "\" from property source \"test\".");
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

    /** What Spring Boot knows of a database. */
    private record Details(String url, String user, String password) implements JdbcConnectionDetails {

        @Override
        public String getJdbcUrl() {
            return url;
        }

        @Override
        public String getUsername() {
            return user;
        }

        @Override
        public String getPassword() {
            return password;
        }
    }

    /** As in dynamic-datasource, whose classes do not extend those of Spring. */
    private static final class OfLibrary {

        private abstract static class AbstractRoutingDataSource extends DelegatingDataSource {}

        private static final class Routing extends AbstractRoutingDataSource {

            Routing(DataSource chosen) {
                setTargetDataSource(chosen);
            }
        }
    }

    /** A data source that does not say where its connections come from. */
    private static final class OtherPool extends AbstractDataSource {

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
