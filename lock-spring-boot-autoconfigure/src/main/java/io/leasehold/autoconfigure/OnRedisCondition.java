package io.leasehold.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** There is a Redis to lock in that is not the own one of a locker. */
final class OnRedisCondition extends AnyNestedCondition {

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
