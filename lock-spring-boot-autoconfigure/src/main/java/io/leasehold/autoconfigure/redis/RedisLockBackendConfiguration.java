package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.ClientBeanResolver;
import io.leasehold.autoconfigure.backend.DedicatedRedis;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.spi.LockBackend;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The {@code redis} backend, if there is a connection factory or a Redis that only locks use, and the beans for lockers
 * with a Redis of their own. Redis does not have to be reachable yet.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisLockBackend.class, RedisConnectionFactory.class})
@EnableConfigurationProperties(RedisLockProperties.class)
public class RedisLockBackendConfiguration {

    @Bean
    RedisStores leaseholdRedisStores(
            ConfigurableListableBeanFactory beans, ObjectProvider<SslBundles> bundles, RedisLockProperties properties) {
        return new RedisStores(new ClientBeanResolver(beans), new LettuceClients(bundles), properties);
    }

    @Bean
    @Conditional(OnRedisCondition.class)
    RedisLockBackendFactory leaseholdRedisBackendFactory(
            RedisStores stores, RedisLockProperties properties, Environment environment) {
        return new RedisLockBackendFactory(
                stores, properties, new RedisEvidence(stores.clients().beans(), environment));
    }

    record RedisLockBackendFactory(RedisStores stores, RedisLockProperties properties, RedisEvidence evidence)
            implements LockBackendFactory {

        private static final Logger log = LoggerFactory.getLogger(RedisLockBackendFactory.class);

        @Override
        public String backend() {
            return BackendType.REDIS.backend();
        }

        @Override
        public boolean isConfigured() {
            return properties.server().isInline()
                    || properties.server().connectionFactory() != null
                    || evidence.isThere();
        }

        @Override
        public String setBy() {
            String details = details();
            return details == null
                    ? RedisServerAddress.setBy(properties.server())
                    : "the DataRedisConnectionDetails bean '" + details + "'";
        }

        @Override
        public LockBackend create() {
            String details = details();
            if (details == null) {
                return stores.create("lock.redis", properties.server());
            }
            log.info("Locks use the Redis of the bean '{}' in place of the one under 'lock.redis'", details);
            return stores.create(RedisEvidence.Details.read(stores.clients().beans(), details));
        }

        /** As in Spring Boot, connection details replace the server of the properties. */
        private @Nullable String details() {
            return properties.server().isInline() ? evidence.details() : null;
        }
    }

    /** Matches if there is a Redis for locks that is not that of a single locker. */
    static final class OnRedisCondition extends AnyNestedCondition {

        OnRedisCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(RedisConnectionFactory.class)
        static class OfTheApplication {}

        @ConditionalOnProperty("lock.redis.host")
        static class ByHost {}

        @ConditionalOnProperty("lock.redis.url")
        static class ByUrl {}
    }

    /**
     * Creates stores in Redis, with a connection factory or with a server that only locks use.
     *
     * @param clients finds connection factories
     * @param inline creates clients for servers that only locks use
     * @param properties the settings of the store
     */
    record RedisStores(ClientBeanResolver clients, LettuceClients inline, RedisLockProperties properties)
            implements DedicatedRedis.Factory {

        private static final boolean LETTUCE =
                ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisStores.class.getClassLoader());

        @Override
        public LockBackend create(DedicatedRedis own) {
            own.server().check(own.property());
            if (!own.server().isInline() && own.server().connectionFactory() == null) {
                throw new LockConfigurationException(
                        own.property() + ".host",
                        null,
                        "must be set, since the locker has a Redis of its own",
                        "Set it, also for a placeholder in it, or remove '" + own.property()
                                + "' for the Redis of the other lockers.");
            }
            return create(own.property(), own.server());
        }

        LockBackend create(RedisEvidence.Details details) {
            requireLettuce("lock.redis");
            properties.server().check("lock.redis");
            return RedisLockBackend.of(details.server(), inline.of(details.bundle()), properties.options());
        }

        LockBackend create(String property, RedisServerProperties server) {
            server.check(property);
            RedisLockOptions options = properties.options();
            if (!server.isInline()) {
                RedisConnectionFactory factory = clients.get(
                        RedisConnectionFactory.class, server.connectionFactory(), property + ".connection-factory");
                return LockConfigurationException.refusing("lock.redis", () -> RedisLockBackend.of(factory, options));
            }
            requireLettuce(property + (server.url() == null ? ".host" : ".url"));
            RedisServerAddress address = RedisServerAddress.of(property, server);
            return RedisLockBackend.of(address.server(), inline.of(property, address.ssl()), options);
        }

        private static void requireLettuce(String property) {
            if (!LETTUCE) {
                throw new LockConfigurationException(
                        property,
                        null,
                        "needs Lettuce",
                        "Add io.lettuce:lettuce-core, or define a RedisConnectionFactory bean and name it in"
                                + " 'connection-factory' beside this property.");
            }
        }
    }
}
