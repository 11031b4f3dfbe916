package io.leasehold.autoconfigure;

import io.leasehold.backend.redis.RedisLockBackend;
import io.leasehold.backend.redis.RedisLockOptions;
import io.leasehold.spi.LockBackend;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The {@code redis} backend, if there is a connection factory. Redis itself need not be reachable yet. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisLockProperties.class)
class RedisLockBackendConfiguration {

    @Bean
    RedisLockBackendFactory redisLockBackendFactory(
            ConfigurableListableBeanFactory beans, RedisLockProperties properties) {
        return new RedisLockBackendFactory(new ClientBeans(beans), properties);
    }

    record RedisLockBackendFactory(ClientBeans clients, RedisLockProperties properties) implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.REDIS.backend();
        }

        @Override
        public LockBackend create() {
            RedisConnectionFactory connections = clients.get(
                    RedisConnectionFactory.class, properties.connectionFactory(), "lock.redis.connection-factory");
            return new RedisLockBackend(connections, new RedisLockOptions(properties.fenceRetention()));
        }
    }
}
