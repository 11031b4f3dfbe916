package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.ClientBeanResolver;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.LockBackend;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The {@code row-lock} backend, if there is a data source, or the URL of a database that only locks use. The database
 * does not have to be reachable yet.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RowLockBackend.class)
@Conditional(RowLockBackendConfiguration.OnDatabaseCondition.class)
@EnableConfigurationProperties(RowLockProperties.class)
@Import(DatabaseInitialization.class)
public class RowLockBackendConfiguration {

    @Bean
    LockSchemaInitializer leaseholdRowLockSchema() {
        return new LockSchemaInitializer();
    }

    @Bean
    RowLockBackendFactory leaseholdRowLockBackendFactory(
            ConfigurableListableBeanFactory beans,
            RowLockProperties properties,
            @Qualifier("leaseholdRowLockSchema") LockSchemaInitializer tables,
            ObjectProvider<JdbcBackendObserver> observers) {
        return new RowLockBackendFactory(new ClientBeanResolver(beans), properties, tables, observers);
    }

    /** Matches if the application has a data source, or locks have a database of their own. */
    static final class OnDatabaseCondition extends AnyNestedCondition {

        OnDatabaseCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(DataSource.class)
        static class OfTheApplication {}

        @ConditionalOnProperty("lock.row-lock.url")
        static class ByUrl {}
    }

    record RowLockBackendFactory(
            ClientBeanResolver clients,
            RowLockProperties properties,
            LockSchemaInitializer tables,
            ObjectProvider<JdbcBackendObserver> observers)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return BackendType.ROW_LOCK.backend();
        }

        /** The application's {@code DataSource} alone does not configure this store. */
        @Override
        public boolean isConfigured() {
            return properties.url() != null || properties.dataSource() != null;
        }

        @Override
        public String setBy() {
            return LockDataSources.setBy("lock.row-lock", properties.url(), properties.dataSource());
        }

        @Override
        public LockBackend create() {
            RowLockOptions options = LockConfigurationException.refusing("lock.row-lock", properties::options);
            LockDataSources.Source source = new LockDataSources(clients, "lock.row-lock")
                    .find(properties.connection(), properties.dataSource());
            return source.isPool()
                    ? new RowLockBackend(source.dataSource(), options, StoreClock::nanos)
                    : RowLockBackend.withOwnPool(source.dataSource(), options, StoreClock::nanos);
        }

        @Override
        public void created(LockBackend store) {
            // not in create(), whose store may be closed because another thread was faster
            if (properties.initializeSchema()) {
                tables.create(((RowLockBackend) store)::initializeSchema);
            }
            observers.forEach(observer -> observer.created(backend(), (JdbcMonitored) store));
        }
    }
}
