package io.leasehold.jdbc.connection;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.DriverDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import com.zaxxer.hikari.util.UtilityElf;
import io.leasehold.support.DaemonThreads;
import java.sql.Connection;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * Creates the small HikariCP pool that is dedicated to locks. From a HikariCP data source it takes only the settings
 * for opening connections, and none of its connections. Any other data source opens the pool's connections.
 */
public final class LockDataSource {

    /** Ends before a caller gives up on its first connection, which is then told that the server did not answer. */
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(8);

    private static final Duration USUAL_OPENING = Duration.ofSeconds(2);

    /** How long HikariCP waits for a connection before the executor checks whether the caller still needs it. */
    private static final long LOOK_MILLIS = 500;

    /**
     * Validates idle connections. MariaDB's driver reconnects in {@link Connection#isValid} if the URL has several hosts.
     * The connection would then have a session without the settings of the locks. A statement fails instead.
     */
    private static final String VALIDATION = "SELECT 1";

    /** The system property with which HikariCP asks subclasses that override the getters of user and password. */
    private static final String OVERRIDDEN_GETTERS = "com.zaxxer.hikari.legacy.supportUserPassDataSourceOverride";

    private LockDataSource() {}

    /**
     * Creates a pool, which opens no connection before it is used, and then keeps one idle connection. The others are
     * opened when concurrent work needs them, and closed after ten idle minutes.
     *
     * @param source where connections come from
     * @param name the name of the pool, for logs and meters
     * @param most the maximum number of connections
     */
    public static HikariDataSource over(DataSource source, String name, int most) {
        // The constructor without arguments opens no connection before the first use.
        HikariDataSource pool = new HikariDataSource();
        BoundedDataSource.Opening opening = source::getConnection;
        DatabaseAddress address = DatabaseAddress.UNKNOWN;
        pool.setConnectionTestQuery(VALIDATION);
        if (source instanceof HikariDataSource hikari) {
            opening = likeThoseOf(hikari);
            address = DatabaseAddress.of(hikari);
            pool.setSchema(hikari.getSchema());
            pool.setCatalog(hikari.getCatalog());
            pool.setConnectionInitSql(hikari.getConnectionInitSql());
            if (hikari.getConnectionTestQuery() != null) {
                pool.setConnectionTestQuery(hikari.getConnectionTestQuery());
            }
            pool.setMaxLifetime(hikari.getMaxLifetime());
            pool.setMetricsTrackerFactory(hikari.getMetricsTrackerFactory());
        }
        BoundedDataSource.Opening opened = opening;
        pool.setDataSource(new BoundedDataSource(
                () -> PostgresPooler.adapted(opened.open()),
                address,
                USUAL_OPENING,
                LONGEST_OPENING,
                DaemonThreads.named("leasehold-jdbc-opener")));
        pool.setPoolName(name);
        pool.setMinimumIdle(1);
        pool.setMaximumPoolSize(most);
        pool.setConnectionTimeout(LOOK_MILLIS);
        pool.setValidationTimeout(LOOK_MILLIS);
        pool.setInitializationFailTimeout(-1);
        return pool;
    }

    /** Publishes the own meters of a pool that {@link #over} has created, unless it does so already. */
    public static void publishMeters(DataSource pool, Object registry) {
        HikariDataSource hikari = (HikariDataSource) pool;
        if (hikari.getMetricsTrackerFactory() == null && hikari.getMetricRegistry() == null) {
            hikari.setMetricRegistry(registry);
        }
    }

    /** Closes a pool that {@link #over} has created. */
    public static void close(DataSource pool) {
        ((HikariDataSource) pool).close();
    }

    /** Opens connections as the pool does, with the pool's credentials at the time of opening. */
    private static BoundedDataSource.Opening likeThoseOf(HikariDataSource pool) {
        DataSource target = target(pool);
        return () -> {
            Credentials credentials = credentials(pool);
            return credentials.getUsername() == null
                    ? target.getConnection()
                    : target.getConnection(credentials.getUsername(), credentials.getPassword());
        };
    }

    /** The credentials with which HikariCP would open the pool's own connections. */
    private static Credentials credentials(HikariDataSource pool) {
        HikariCredentialsProvider provider = pool.getCredentialsProvider();
        if (provider != null) {
            return provider.getCredentials();
        }
        return Boolean.getBoolean(OVERRIDDEN_GETTERS)
                ? Credentials.of(pool.getUsername(), pool.getPassword())
                : pool.getCredentials();
    }

    private static DataSource target(HikariDataSource pool) {
        if (pool.getDataSource() != null) {
            return pool.getDataSource();
        }
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        if (pool.getDataSourceClassName() != null) {
            DataSource created = UtilityElf.createInstance(pool.getDataSourceClassName(), DataSource.class);
            PropertyElf.setTargetFromProperties(created, properties);
            return created;
        }
        if (pool.getJdbcUrl() == null) {
            throw new IllegalArgumentException("the pool '" + pool.getPoolName() + "' has no URL");
        }
        DriverProperties.addTo(properties, pool.getJdbcUrl());
        return new DriverDataSource(
                pool.getJdbcUrl(), pool.getDriverClassName(), properties, pool.getUsername(), pool.getPassword());
    }
}
