package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.mock.env.MockEnvironment;

/** Which beans show that the application configures a Redis. */
class RedisEvidenceTests {

    private static final String CONFIGURATION =
            "org.springframework.boot.data.redis.autoconfigure.LettuceConnectionConfiguration";

    private final MockEnvironment environment = new MockEnvironment();

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @BeforeEach
    void defineConfiguration() {
        beans.registerBeanDefinition(CONFIGURATION, new RootBeanDefinition(Object.class));
    }

    /** Such definitions have a supplier and no factory method. */
    @Test
    void beansOfSpringBootThatAreDefinedAheadOfTimeAreNotOfTheApplication() {
        beans.registerBeanDefinition("redisConnectionFactory", aheadOfTime(RedisConnectionFactory.class));
        beans.registerBeanDefinition("redisConnectionDetails", aheadOfTime(DataRedisConnectionDetails.class));
        assertThat(beans.getBeanNamesForType(RedisConnectionFactory.class, true, false))
                .hasSize(1);
        RedisEvidence evidence = new RedisEvidence(beans, environment);
        assertThat(evidence.isThere()).isFalse();
        assertThat(evidence.details()).isNull();
    }

    @Test
    void aFactoryOfTheApplicationCounts() {
        beans.registerBeanDefinition("own", new RootBeanDefinition(LettuceConnectionFactory.class));
        assertThat(new RedisEvidence(beans, environment).isThere()).isTrue();
    }

    @Test
    void theRedisOfAParentContextCounts() {
        beans.registerBeanDefinition("redisConnectionFactory", aheadOfTime(RedisConnectionFactory.class));
        DefaultListableBeanFactory child = new DefaultListableBeanFactory(beans);
        environment.setProperty("spring.data.redis.host", "redis.internal");
        assertThat(new RedisEvidence(child, environment).isThere()).isTrue();
    }

    private static <T> RootBeanDefinition aheadOfTime(Class<T> type) {
        RootBeanDefinition definition = new RootBeanDefinition(type);
        definition.setFactoryBeanName(CONFIGURATION);
        definition.setInstanceSupplier(() -> {
            throw new AssertionError("no bean is needed");
        });
        return definition;
    }
}
