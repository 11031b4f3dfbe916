package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The {@code redis} backend, if there is a connection factory or a Redis for locks alone, and what a locker with a Redis
 * of its own needs. Redis itself need not be reachable yet.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisLockProperties.class)
class RedisLockBackendConfiguration {

    @Bean
    RedisStores lockRedisStores(
            ConfigurableListableBeanFactory beans, ObjectProvider<SslBundles> bundles, RedisLockProperties properties) {
        return new RedisStores(new ClientBeans(beans), new LettuceClients(bundles), properties);
    }

    @Bean
    @Conditional(OnRedisCondition.class)
    RedisLockBackendFactory redisLockBackendFactory(RedisStores stores, RedisLockProperties properties) {
        return new RedisLockBackendFactory(stores, properties);
    }

    record RedisLockBackendFactory(RedisStores stores, RedisLockProperties properties) implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.REDIS.backend();
        }

        @Override
        public LockBackend create() {
            return stores.create("lock.redis", properties.server());
        }
    }
}
