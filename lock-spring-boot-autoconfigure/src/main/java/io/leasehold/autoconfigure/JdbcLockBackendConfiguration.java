package io.leasehold.autoconfigure;

import io.leasehold.backend.jdbc.JdbcLockBackend;
import io.leasehold.backend.jdbc.JdbcLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** The {@code jdbc} backend, if there is a data source. The database itself need not be reachable yet. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(JdbcLockProperties.class)
class JdbcLockBackendConfiguration {

    @Bean
    LockTables jdbcLockTables() {
        return new LockTables();
    }

    @Bean
    JdbcLockBackendFactory jdbcLockBackendFactory(
            ConfigurableListableBeanFactory beans,
            JdbcLockProperties properties,
            ObjectProvider<PoolSizeCheck> pools,
            @Qualifier("jdbcLockTables") LockTables tables) {
        return new JdbcLockBackendFactory(new ClientBeans(beans), properties, pools, tables);
    }

    @Bean
    JdbcLockPurge jdbcLockPurge(LockBackends backends, JdbcLockProperties properties) {
        return new JdbcLockPurge(backends, properties.purgeInterval());
    }

    record JdbcLockBackendFactory(
            ClientBeans clients, JdbcLockProperties properties, ObjectProvider<PoolSizeCheck> pools, LockTables tables)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.JDBC.backend();
        }

        @Override
        public LockBackend create() {
            JdbcLockOptions options = LockConfigurationException.refusing("lock.jdbc", properties::options);
            DataSource dataSource = clients.get(DataSource.class, properties.dataSource(), "lock.jdbc.data-source");
            pools.ifAvailable(check ->
                    check.check(dataSource, connections(options), properties.dataSource() != null, "lock.jdbc"));
            JdbcLockBackend backend = new JdbcLockBackend(dataSource, options, StoreClock::nanos);
            if (properties.initializeSchema()) {
                tables.create(backend::initializeSchema);
            }
            return backend;
        }

        /** Callers' connections, one for renewals, and one that hears of releases where the database may be PostgreSQL. */
        private static int connections(JdbcLockOptions options) {
            boolean listens = options.listen() && ClassUtils.isPresent("org.postgresql.Driver", null);
            return options.connections() + (listens ? 2 : 1);
        }
    }
}
