package io.leasehold.autoconfigure;

import io.leasehold.backend.jdbc.RowLockBackend;
import io.leasehold.backend.jdbc.RowLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
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
    RowLockBackendFactory rowLockBackendFactory(ConfigurableListableBeanFactory beans, RowLockProperties properties) {
        return new RowLockBackendFactory(new ClientBeans(beans), properties);
    }

    record RowLockBackendFactory(ClientBeans clients, RowLockProperties properties) implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.ROW_LOCK.backend();
        }

        @Override
        public LockBackend create() {
            RowLockOptions options = LockConfigurationException.refusing("lock.row-lock", properties::options);
            DataSource dataSource = clients.get(DataSource.class, properties.dataSource(), "lock.row-lock.data-source");
            RowLockBackend backend = new RowLockBackend(dataSource, options, StoreClock::nanos);
            if (properties.initializeSchema()) {
                LockTables.create(backend::initializeSchema);
            }
            return backend;
        }
    }
}
