package io.leasehold.autoconfigure;

import io.leasehold.jdbc.RowLockBackend;
import io.leasehold.jdbc.RowLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The {@code row-lock} backend, if there is a data source. The database itself need not be reachable yet. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(RowLockProperties.class)
class RowLockBackendConfiguration {

    @Bean
    LockTables rowLockTables() {
        return new LockTables();
    }

    @Bean
    RowLockBackendFactory rowLockBackendFactory(
            ConfigurableListableBeanFactory beans,
            RowLockProperties properties,
            @Qualifier("rowLockTables") LockTables tables) {
        return new RowLockBackendFactory(new ClientBeans(beans), properties, tables);
    }

    record RowLockBackendFactory(ClientBeans clients, RowLockProperties properties, LockTables tables)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.ROW_LOCK.backend();
        }

        @Override
        public LockBackend create() {
            RowLockOptions options = LockConfigurationException.refusing("lock.row-lock", properties::options);
            LockDataSources.Source source = new LockDataSources(clients, "lock.row-lock")
                    .find(properties.connection(), properties.dataSource());
            RowLockBackend backend = source.isPool()
                    ? new RowLockBackend(source.dataSource(), options, StoreClock::nanos)
                    : RowLockBackend.withOwnPool(source.dataSource(), options, StoreClock::nanos);
            if (properties.initializeSchema()) {
                tables.create(backend::initializeSchema);
            }
            return backend;
        }
    }
}
