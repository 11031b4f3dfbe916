package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.ConcurrencyLimit.ThrottlePolicy;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** Framework 7's limit of concurrent calls is outside of the lock, as docs/order.md describes it. */
@Timeout(60)
class ConcurrencyLimitOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=1h")
            .withUserConfiguration(Limits.class)
            .withBean(Limited.class);

    @Test
    void aCallThatWaitsForTheLockCountsTowardsTheLimitAndTheNextOneIsRejected() {
        runner.run(context -> {
            Limited limited = context.getBean(Limited.class);
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            try (LockHandle held = context.getBean(Locker.class).lock("a")) {
                CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> limited.run("a"));
                await().until(() -> lockers.status("default").waiting() == 1);
                assertThatExceptionOfType(InvocationRejectedException.class).isThrownBy(() -> limited.run("free"));
                assertThat(lockers.status("default").waiting()).isEqualTo(1);
                held.release();
                assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("a");
            }
            assertThat(limited.run("free")).isEqualTo("free");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Limits {}

    public static class Limited {

        @ConcurrencyLimit(limit = 1, policy = ThrottlePolicy.REJECT)
        @DistributedLock(key = "#key")
        public String run(String key) {
            return key;
        }
    }
}
