package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.spring6.bulkhead.configure.BulkheadAspect;
import io.github.resilience4j.spring6.bulkhead.configure.BulkheadConfigurationProperties;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.fallback.FallbackExecutor;
import io.github.resilience4j.spring6.ratelimiter.configure.RateLimiterAspect;
import io.github.resilience4j.spring6.ratelimiter.configure.RateLimiterConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.DefaultSpelResolver;
import io.github.resilience4j.spring6.spelresolver.SpelResolver;
import io.github.resilience4j.spring6.timelimiter.configure.TimeLimiterAspect;
import io.github.resilience4j.spring6.timelimiter.configure.TimeLimiterConfigurationProperties;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The limits of Resilience4j are outside of the lock, as docs/order.md describes it. */
@Timeout(60)
class ResilienceOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=1h")
            .withUserConfiguration(Limits.class)
            .withBean(Acquisitions.class)
            .withBean(Limited.class);

    @Test
    void aCallAboveTheRateLimitTakesNoLock() {
        runner.run(context -> {
            context.getBean(Limited.class).atARate();
            assertThatExceptionOfType(RequestNotPermitted.class)
                    .isThrownBy(() -> context.getBean(Limited.class).atARate());
            assertThat(context.getBean(Acquisitions.class).keys).containsExactly("a");
        });
    }

    @Test
    void aCallThatFindsTheBulkheadFullTakesNoLock() {
        runner.run(context -> {
            context.getBean(BulkheadRegistry.class).bulkhead("x").acquirePermission();
            assertThatExceptionOfType(BulkheadFullException.class)
                    .isThrownBy(() -> context.getBean(Limited.class).fewAtATime());
            assertThat(context.getBean(Acquisitions.class).keys).isEmpty();
        });
    }

    @Test
    void theTimeLimitIncludesTheWaitForTheLockAndEndsIt() {
        runner.run(context -> {
            Locker locker = context.getBean(Locker.class);
            Limited limited = context.getBean(Limited.class);
            LockHandle held = locker.lock("a");
            assertThat(limited.inTime())
                    .failsWithin(Duration.ofSeconds(50))
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(TimeoutException.class);
            await().until(() ->
                    context.getBean(LockerRegistry.class).status("default").waiting() == 0);
            held.release();
            assertThat(limited.runs()).isZero();
        });
    }

    static class Acquisitions implements LockListener {

        private final List<String> keys = new CopyOnWriteArrayList<>();

        @Override
        public void acquireStarted(LockAttempt attempt) {
            keys.add(attempt.key());
        }
    }

    public static class Limited {

        private final AtomicInteger runs = new AtomicInteger();

        @DistributedLock("'a'")
        @RateLimiter(name = "x")
        public void atARate() {}

        @DistributedLock("'a'")
        @Bulkhead(name = "x")
        public void fewAtATime() {}

        public int runs() {
            return runs.get();
        }

        @DistributedLock("'a'")
        @TimeLimiter(name = "x")
        public CompletableFuture<String> inTime() {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Limits {

        @Bean
        SpelResolver spelResolver(BeanFactory beans) {
            return new DefaultSpelResolver(new SpelExpressionParser(), new DefaultParameterNameDiscoverer(), beans);
        }

        @Bean
        FallbackExecutor fallbackExecutor(SpelResolver resolver) {
            return new FallbackExecutor(resolver, new FallbackDecorators(List.of()));
        }

        @Bean
        RateLimiterAspect rateLimiterAspect(FallbackExecutor fallback, SpelResolver resolver) {
            RateLimiterConfig once = RateLimiterConfig.custom()
                    .limitForPeriod(1)
                    .limitRefreshPeriod(Duration.ofHours(1))
                    .timeoutDuration(Duration.ZERO)
                    .build();
            return new RateLimiterAspect(
                    RateLimiterRegistry.of(once),
                    new RateLimiterConfigurationProperties(),
                    List.of(),
                    fallback,
                    resolver);
        }

        @Bean
        TimeLimiterAspect timeLimiterAspect(FallbackExecutor fallback, SpelResolver resolver) {
            TimeLimiterConfig soon = TimeLimiterConfig.custom()
                    .timeoutDuration(Duration.ofMillis(20))
                    .build();
            return new TimeLimiterAspect(
                    TimeLimiterRegistry.of(soon),
                    new TimeLimiterConfigurationProperties(),
                    List.of(),
                    fallback,
                    resolver,
                    null);
        }

        @Bean
        BulkheadRegistry bulkheads() {
            return BulkheadRegistry.of(BulkheadConfig.custom()
                    .maxConcurrentCalls(1)
                    .maxWaitDuration(Duration.ZERO)
                    .build());
        }

        @Bean
        BulkheadAspect bulkheadAspect(BulkheadRegistry bulkheads, FallbackExecutor fallback, SpelResolver resolver) {
            return new BulkheadAspect(
                    new BulkheadConfigurationProperties(),
                    ThreadPoolBulkheadRegistry.ofDefaults(),
                    bulkheads,
                    List.of(),
                    fallback,
                    resolver);
        }
    }
}
