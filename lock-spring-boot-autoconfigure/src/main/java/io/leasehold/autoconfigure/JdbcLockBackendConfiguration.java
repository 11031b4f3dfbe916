package io.leasehold.autoconfigure;

import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
            @Qualifier("jdbcLockTables") LockTables tables) {
        return new JdbcLockBackendFactory(new ClientBeans(beans), properties, tables);
    }

    @Bean
    JdbcLockPurge jdbcLockPurge(LockBackends backends, JdbcLockProperties properties) {
        return new JdbcLockPurge(backends, properties.purgeInterval());
    }

    record JdbcLockBackendFactory(ClientBeans clients, JdbcLockProperties properties, LockTables tables)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.JDBC.backend();
        }

        @Override
        public LockBackend create() {
            JdbcLockOptions options = LockConfigurationException.refusing("lock.jdbc", properties::options);
            LockDataSources.Source source =
                    new LockDataSources(clients, "lock.jdbc").find(properties.connection(), properties.dataSource());
            JdbcLockBackend backend = source.isPool()
                    ? new JdbcLockBackend(source.dataSource(), options, StoreClock::nanos)
                    : JdbcLockBackend.withOwnPool(source.dataSource(), options, StoreClock::nanos);
            if (properties.initializeSchema()) {
                tables.create(backend::initializeSchema);
            }
            return backend;
        }
    }
}
