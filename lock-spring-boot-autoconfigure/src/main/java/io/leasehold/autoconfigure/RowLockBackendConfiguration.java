package io.leasehold.autoconfigure;

import io.leasehold.backend.jdbc.RowLockBackend;
import io.leasehold.backend.jdbc.RowLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
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
            ObjectProvider<PoolSizeCheck> pools,
            @Qualifier("rowLockTables") LockTables tables) {
        return new RowLockBackendFactory(new ClientBeans(beans), properties, pools, tables);
    }

    record RowLockBackendFactory(
            ClientBeans clients, RowLockProperties properties, ObjectProvider<PoolSizeCheck> pools, LockTables tables)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.ROW_LOCK.backend();
        }

        @Override
        public LockBackend create() {
            RowLockOptions options = LockConfigurationException.refusing("lock.row-lock", properties::options);
            DataSource dataSource = clients.get(DataSource.class, properties.dataSource(), "lock.row-lock.data-source");
            pools.ifAvailable(check -> check.check(
                    dataSource,
                    options.maxHeld() + options.connections() + 1,
                    properties.dataSource() != null,
                    "lock.row-lock"));
            RowLockBackend backend = new RowLockBackend(dataSource, options, StoreClock::nanos);
            if (properties.initializeSchema()) {
                tables.create(backend::initializeSchema);
            }
            return backend;
        }
    }
}
