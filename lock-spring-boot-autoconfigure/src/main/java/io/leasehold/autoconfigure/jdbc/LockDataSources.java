package io.leasehold.autoconfigure.jdbc;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.autoconfigure.backend.ClientBeanResolver;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.PropertyValue;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * Finds the connection settings of the locks' own pool. Locks never hold a connection of the application's pool.
 *
 * @param clients the application's data sources
 * @param prefix the prefix of the properties
 */
record LockDataSources(ClientBeanResolver clients, String prefix) {

    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private static final String UNWRAPPER = "org.springframework.boot.jdbc.DataSourceUnwrapper";

    private static final Set<String> UNPOOLED = Set.of(
            "org.h2.jdbcx.JdbcDataSource",
            "org.postgresql.ds.PGSimpleDataSource",
            "org.mariadb.jdbc.MariaDbDataSource",
            "com.mysql.cj.jdbc.MysqlDataSource");

    /** The properties that configure the database, for messages. */
    static String setBy(String prefix, @Nullable String url, @Nullable String bean) {
        if (url != null) {
            return "'" + prefix + ".url'";
        }
        return bean == null
                ? "'spring.datasource.*' or the DataSource bean of the application"
                : "the DataSource bean '" + bean + "' that '" + prefix + ".data-source' names";
    }

    /** Finds the source of connections, and whether it is already a pool. Its database is initialized before. */
    Source find(Connection connection, @Nullable String name) {
        requireConsistent(connection, name);
        DatabaseInitialization.complete(clients.beans(), prefix);
        boolean pools = ClassUtils.isPresent(HIKARI, null);
        if (connection.url() != null) {
            if (!pools) {
                throw new LockConfigurationException(
                        prefix + ".url",
                        null,
                        "needs a connection pool, and HikariCP is not on the class path",
                        "Add the dependency com.zaxxer:HikariCP, or remove '" + prefix + ".url' and set '" + prefix
                                + ".data-source' to the name of a pooled DataSource bean that serves the locks alone.");
            }
            requireDriver(connection.url());
            return new Source(connection.pool(), false);
        }
        boolean derives = pools && ClassUtils.isPresent(UNWRAPPER, null);
        DataSource bean = clients.get(DataSource.class, name, prefix + ".data-source");
        DataSource derived = derives ? Derivation.of(bean, name == null ? clients : null) : null;
        if (derived != null) {
            return new Source(derived, false);
        }
        if (name != null) {
            return new Source(bean, true);
        }
        throw new LockConfigurationException(
                prefix + ".data-source",
                null,
                "must be set, since the locks need a connection pool of their own and none can be derived from the"
                        + " application's DataSource of type " + bean.getClass().getName(),
                "Set '" + prefix + ".url', '" + prefix + ".username' and '" + prefix + ".password' with HikariCP on the"
                        + " class path, or define a pooled DataSource bean that serves the locks alone, with"
                        + " @Bean(defaultCandidate = false), and set '" + prefix + ".data-source' to its name.");
    }

    private void requireDriver(String url) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException ex) {
            throw new LockConfigurationException(
                    prefix + ".url",
                    null,
                    "is a URL that no JDBC driver on the class path accepts",
                    "Begin it with 'jdbc:' and the name of the database, and add the driver of that database.");
        }
    }

    /** A setting without effect would let this instance lock in another database than its author expects. */
    private void requireConsistent(Connection connection, @Nullable String name) {
        String login = PropertyValue.orNull(connection.username()) != null
                ? "username"
                : PropertyValue.orNull(connection.password()) != null ? "password" : null;
        if (connection.url() == null && login != null) {
            throw new LockConfigurationException(
                    prefix + ".url",
                    null,
                    "must be set, since '" + prefix + "." + login + "' is",
                    "Set it to the URL of the database for locks, or remove '" + prefix + "." + login + "'.");
        }
        if (connection.url() != null && name != null) {
            throw new LockConfigurationException(
                    prefix + ".data-source",
                    name,
                    "has no meaning beside '" + prefix + ".url'",
                    "Remove one of the two.");
        }
    }

    /**
     * The source of connections.
     *
     * @param isPool whether it is used directly as the locks' pool
     */
    record Source(DataSource dataSource, boolean isPool) {}

    /**
     * The connection of the properties.
     *
     * @param url a JDBC URL, {@code null} if it is not set
     */
    record Connection(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password) {

        /** A pool that is never started; only its settings are used. */
        private DataSource pool() {
            HikariDataSource settings = new HikariDataSource();
            settings.setJdbcUrl(url);
            settings.setUsername(username);
            settings.setPassword(password);
            return settings;
        }

        /** The user without the password and the URL, which may contain one. */
        @Override
        public String toString() {
            return "Connection[username=" + username + "]";
        }
    }

    /** The code that needs HikariCP and Spring Boot's support for JDBC, loaded only if both are on the class path. */
    private static final class Derivation {

        /** The source of connections; {@code null} if it cannot be derived. */
        private static @Nullable DataSource of(DataSource bean, @Nullable ClientBeanResolver clients) {
            if (unwrapped(bean, AbstractRoutingDataSource.class) != null || isRoutingOfLibrary(bean.getClass())) {
                // It would be unwrapped to the pool that it selects at this moment.
                return null;
            }
            HikariDataSource pool = DataSourceUnwrapper.unwrap(bean, HikariConfigMXBean.class, HikariDataSource.class);
            if (pool != null) {
                return pool;
            }
            if (UNPOOLED.contains(bean.getClass().getName())) {
                return bean;
            }
            AbstractDriverBasedDataSource unpooled = unwrapped(bean, AbstractDriverBasedDataSource.class);
            if (unpooled != null && !(unpooled instanceof SingleConnectionDataSource)) {
                // The adapter opens connections with credentials that its target need not have.
                DataSource adapter = unwrapped(bean, UserCredentialsDataSourceAdapter.class);
                return adapter == null ? unpooled : adapter;
            }
            JdbcConnectionDetails details = clients == null
                    ? null
                    : clients.beans()
                            .getBeanProvider(JdbcConnectionDetails.class)
                            .getIfUnique();
            return details == null
                    ? null
                    : new Connection(details.getJdbcUrl(), details.getUsername(), details.getPassword()).pool();
        }

        /** The dynamic-datasource starter has a class of its own under the name of Spring's. */
        private static boolean isRoutingOfLibrary(@Nullable Class<?> type) {
            return type != null
                    && (type.getSimpleName().equals(AbstractRoutingDataSource.class.getSimpleName())
                            || isRoutingOfLibrary(type.getSuperclass()));
        }

        /** Spring Boot's unwrapper finds classes behind Spring's own proxies only; JDBC also behind those of a library. */
        private static <T> @Nullable T unwrapped(DataSource bean, Class<T> type) {
            try {
                return bean.isWrapperFor(type) ? bean.unwrap(type) : null;
            } catch (SQLException | RuntimeException ex) {
                return null;
            }
        }
    }
}
