package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Methods that are {@code @Async} and locked: the executor's thread takes the lock. */
@Timeout(30)
class AsyncMethodTests {

    @Test
    void theLockIsHeldWhileTheExecutorRunsTheMethod() {
        LockedContext.with(Asynchronous.class, Work.class).run(context -> {
            assertThat(context).hasNotFailed();
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            context.getBean(Work.class).run("a", begun, end);
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(locker.isHeld("a")).isTrue();
            end.countDown();
            Awaitility.await().until(() -> !locker.isHeld("a"));
        });
    }

    @Test
    void theLockIsHeldUntilTheStageOfTheMethodHasEnded() {
        LockedContext.with(Asynchronous.class, Work.class).run(context -> {
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            CompletableFuture<String> end = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Work.class).stage("a", end);
            Awaitility.await().until(() -> locker.isHeld("a"));
            assertThat(result).isNotDone();
            end.complete("done");
            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(locker.isHeld("a")).isFalse();
        });
    }

    /** The only thread of the executor waits for the result, so that the call cannot continue on it. */
    @Test
    void aStageThatHasToWaitForItsLockNeedsNoSecondThreadOfTheExecutor() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
                .withUserConfiguration(OneThread.class)
                .withBean(Work.class)
                .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=1m")
                .run(context -> {
                    Locker locker = context.getBean(Locker.class);
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    CompletableFuture<String> end = new CompletableFuture<>();
                    CompletableFuture<String> result;
                    try (LockHandle elsewhere = locker.lock("a")) {
                        result = context.getBean(Work.class).stage("a", end);
                        Awaitility.await().until(() -> lockers.status("default").waiting() == 1);
                        assertThat(elsewhere.isHeld()).isTrue();
                    }
                    Awaitility.await()
                            .until(() -> lockers.status("default").held().size() == 1);
                    end.complete("done");
                    assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
                    Awaitility.await()
                            .until(() -> lockers.status("default").held().isEmpty());
                });
    }

    @Test
    void aStageWhoseLockIsNotAcquiredFails() {
        LockedContext.with(Asynchronous.class, Work.class).run(context -> {
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            locker.holdElsewhere("a");
            CompletableFuture<String> result = context.getBean(Work.class).stage("a", new CompletableFuture<>());
            assertThat(result)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockNotAcquiredException.class);
        });
    }

    @Test
    void aLockOutsideOfTheExecutionIsRefused() {
        LockedContext.with()
                .withBean(Work.class, () -> {
                    ProxyFactory inner = new ProxyFactory(new Work());
                    inner.setProxyTargetClass(true);
                    inner.addAdvisor(new AsyncAnnotationAdvisor());
                    return (Work) inner.getProxy();
                })
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("@Async"));
    }

    static class Work {

        @Async
        @DistributedLock("#p0")
        public void run(String key, CountDownLatch begun, CountDownLatch end) throws InterruptedException {
            begun.countDown();
            end.await(20, TimeUnit.SECONDS);
        }

        @Async
        @DistributedLock("#p0")
        public CompletableFuture<String> stage(String key, CompletableFuture<String> end) {
            return end;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {

        @Bean
        Executor taskExecutor() {
            return new SimpleAsyncTaskExecutor("work-");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class OneThread {

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(1);
            return executor;
        }
    }
}
