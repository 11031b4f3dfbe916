package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.ClientBeanResolver;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.spi.LockBackend;
import java.util.stream.Stream;
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
import org.springframework.util.ClassUtils;

/**
 * The {@code jdbc} backend, if there is a data source, or the URL of a database that only locks use. The database does
 * not have to be reachable yet.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcLockBackend.class)
@Conditional(JdbcLockBackendConfiguration.OnDatabaseCondition.class)
@EnableConfigurationProperties(JdbcLockProperties.class)
@Import(DatabaseInitialization.class)
public class JdbcLockBackendConfiguration {

    @Bean
    LockSchemaInitializer leaseholdJdbcSchema() {
        return new LockSchemaInitializer();
    }

    @Bean
    JdbcLockBackendFactory leaseholdJdbcBackendFactory(
            ConfigurableListableBeanFactory beans,
            JdbcLockProperties properties,
            @Qualifier("leaseholdJdbcSchema") LockSchemaInitializer tables,
            ObjectProvider<JdbcBackendObserver> observers) {
        return new JdbcLockBackendFactory(new ClientBeanResolver(beans), properties, tables, observers);
    }

    @Bean
    JdbcLockPurge leaseholdJdbcPurge(LockBackends backends, JdbcLockProperties properties) {
        return new JdbcLockPurge(backends, properties.purgeInterval());
    }

    /** Matches if the application has a data source, or locks have a database of their own. */
    static final class OnDatabaseCondition extends AnyNestedCondition {

        OnDatabaseCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(DataSource.class)
        static class OfTheApplication {}

        @ConditionalOnProperty("lock.jdbc.url")
        static class ByUrl {}
    }

    record JdbcLockBackendFactory(
            ClientBeanResolver clients,
            JdbcLockProperties properties,
            LockSchemaInitializer tables,
            ObjectProvider<JdbcBackendObserver> observers)
            implements LockBackendFactory {

        private static final boolean ONLY_STORE = Stream.of(
                        "io.leasehold.redis.RedisLockBackend", "io.leasehold.etcd.EtcdLockBackend")
                .noneMatch(store -> ClassUtils.isPresent(store, JdbcLockBackendFactory.class.getClassLoader()));

        @Override
        public String backend() {
            return BackendType.JDBC.backend();
        }

        /**
         * The application's {@code DataSource} alone does not configure this store, unless {@code lock-jdbc} is the
         * only store on the class path.
         */
        @Override
        public boolean isConfigured() {
            return properties.url() != null || properties.dataSource() != null || ONLY_STORE;
        }

        @Override
        public String setBy() {
            return LockDataSources.setBy("lock.jdbc", properties.url(), properties.dataSource());
        }

        @Override
        public LockBackend create() {
            JdbcLockOptions options = LockConfigurationException.refusing("lock.jdbc", properties::options);
            LockDataSources.Source source =
                    new LockDataSources(clients, "lock.jdbc").find(properties.connection(), properties.dataSource());
            return source.isPool()
                    ? new JdbcLockBackend(source.dataSource(), options, StoreClock::nanos)
                    : JdbcLockBackend.withOwnPool(source.dataSource(), options, StoreClock::nanos);
        }

        @Override
        public void created(LockBackend store) {
            // not in create(), whose store may be closed because another thread was faster
            if (properties.initializeSchema()) {
                tables.create(((JdbcLockBackend) store)::initializeSchema);
            }
            observers.forEach(observer -> observer.created(backend(), (JdbcMonitored) store));
        }
    }
}
