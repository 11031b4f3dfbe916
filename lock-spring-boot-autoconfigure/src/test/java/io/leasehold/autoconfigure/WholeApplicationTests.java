package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.servers.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** All auto-configurations of the class path together, as an application has them. */
@ExtendWith(OutputCaptureExtension.class)
class WholeApplicationTests {

    @Test
    void anAnnotatedMethodIsLockedInRedisAndMeteredWithoutAWarning(CapturedOutput output) {
        try (RedisServer redis = RedisServer.startDurable()) {
            new ApplicationContextRunner()
                    .withUserConfiguration(Application.class)
                    .withPropertyValues(
                            "spring.data.redis.host=" + redis.host(),
                            "spring.data.redis.port=" + redis.port(),
                            "lock.lockers.billing.ttl=10s",
                            "lock.shutdown.timeout=0s")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Billing.class).charge("42")).isPositive();
                        assertThat(context.getBean(MeterRegistry.class)
                                        .get("lock.acquire")
                                        .tags("locker", "billing", "backend", "redis", "outcome", "acquired")
                                        .timer()
                                        .count())
                                .isEqualTo(1);
                    });
        }
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    static class Billing {

        @DistributedLock(locker = "billing", key = "#user")
        long charge(String user) {
            return LockContext.find("billing", user)
                    .map(LockHandle::fencingToken)
                    .orElse(0L);
        }
    }
}
