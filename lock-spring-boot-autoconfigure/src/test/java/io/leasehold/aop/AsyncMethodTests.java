package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

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
    @ParameterizedTest
    @ValueSource(classes = {AsyncWork.class, OwnWork.class, OwnTypeWork.class})
    void aStageThatHasToWaitForItsLockNeedsNoSecondThreadOfTheExecutor(Class<? extends Stages> type) {
        oneThread(type == AsyncWork.class ? Asynchronously.class : OwnAnnotation.class)
                .withBean(type)
                .run(context -> {
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    CompletableFuture<String> end = new CompletableFuture<>();
                    CompletableFuture<String> result;
                    try (LockHandle elsewhere = context.getBean(Locker.class).lock("a")) {
                        result = context.getBean(Stages.class).stage("a", end);
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

    /** Without the advice of {@code @EnableAsync}, the caller's thread must not wait for the lock. */
    @Test
    void anAnnotationThatNothingAppliesLeavesTheCallerFree() {
        oneThread().withBean(AsyncWork.class).run(context -> {
            CompletableFuture<String> result;
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("a")) {
                result = context.getBean(Stages.class).stage("a", CompletableFuture.completedFuture("done"));
                assertThat(elsewhere.isHeld()).isTrue();
                assertThat(result).isNotDone();
            }
            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    private static ApplicationContextRunner oneThread(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
                .withUserConfiguration(OneThread.class)
                .withUserConfiguration(configurations)
                .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=10s");
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
    void aLossInterruptsAMethodThatWorksBeforeItReturnsItsStage() {
        LockedContext.with(Asynchronous.class, Work.class).run(context -> {
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            CountDownLatch begun = new CountDownLatch(1);
            AtomicReference<InterruptedException> interrupt = new AtomicReference<>();
            CompletableFuture<String> result = context.getBean(Work.class).interrupted("a", begun, interrupt);
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            locker.lose("a");
            assertThat(result)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockLostException.class);
            assertThat(interrupt).doesNotHaveNullValue();
            assertThat(locker.isHeld("a")).isFalse();
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

    @ParameterizedTest
    @ValueSource(classes = {WovenWork.class, WovenTypeWork.class, WovenSubtypeWork.class, WovenProduct.class})
    void anExecutionThatAspectJWeavesIntoTheMethodIsRefused(Class<?> type) {
        woven().withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .rootCause()
                        .hasMessageContaining("run()")
                        .hasMessageContaining("@EnableAsync(mode = ASPECTJ)"));
    }

    @ParameterizedTest
    @ValueSource(classes = {WovenWork.class, AsyncWork.class})
    void anExecutionThatAspectJWeavesBesideTheLockIsRefused(Class<?> type) {
        new ApplicationContextRunner()
                .withBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME, Object.class)
                .withUserConfiguration(WovenLocks.class)
                .withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("@Async"));
    }

    /** A stage ends with the work. AspectJ does not execute the others asynchronously. */
    @ParameterizedTest
    @ValueSource(classes = {AsyncWork.class, WovenTypeValue.class, ComposedWork.class, OverridingWork.class})
    void aMethodWhoseLockCoversItsWorkInSpiteOfTheWeavingStarts(Class<?> type) {
        woven().withBean(type).run(context -> assertThat(context).hasNotFailed());
    }

    /** As with {@code @EnableAsync(mode = AdviceMode.ASPECTJ)}, whose aspect is not on the class path. */
    private static ApplicationContextRunner woven() {
        return LockedContext.with().withBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME, Object.class);
    }

    /** Methods that return the stage that they are given. */
    interface Stages {

        CompletableFuture<String> stage(String key, CompletableFuture<String> end);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface InBackground {}

    static class AsyncWork implements Stages {

        @Override
        @Async
        @DistributedLock("#p0")
        public CompletableFuture<String> stage(String key, CompletableFuture<String> end) {
            return end;
        }
    }

    static class WovenWork {

        @Async
        @DistributedLock("'a'")
        public void run() {}
    }

    @Async
    static class WovenTypeWork {

        @DistributedLock("'a'")
        public void run() {}
    }

    static class WovenSubtypeWork extends WovenTypeWork {

        @Override
        @DistributedLock("'a'")
        public void run() {}
    }

    @Async
    @Retention(RetentionPolicy.RUNTIME)
    @interface Composed {}

    static class ComposedWork {

        @Composed
        @DistributedLock("'a'")
        public void run() {}
    }

    static class OverridingWork extends WovenWork {

        @Override
        @DistributedLock("'a'")
        public void run() {}
    }

    @Async
    static class WovenTypeValue {

        @DistributedLock("'a'")
        public String value() {
            return "done";
        }
    }

    static class WovenProduct implements SmartFactoryBean<WovenWork> {

        @Override
        public WovenWork getObject() {
            return new WovenWork();
        }

        @Override
        public Class<?> getObjectType() {
            return WovenWork.class;
        }

        @Override
        public boolean isEagerInit() {
            return true;
        }
    }

    static class OwnWork implements Stages {

        @Override
        @InBackground
        @DistributedLock("#p0")
        public CompletableFuture<String> stage(String key, CompletableFuture<String> end) {
            return end;
        }
    }

    @InBackground
    static class OwnTypeWork implements Stages {

        @Override
        @DistributedLock("#p0")
        public CompletableFuture<String> stage(String key, CompletableFuture<String> end) {
            return end;
        }
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

        @Async
        @DistributedLock(key = "#p0", onLost = OnLost.INTERRUPT)
        public CompletableFuture<String> interrupted(
                String key, CountDownLatch begun, AtomicReference<InterruptedException> interrupt)
                throws InterruptedException {
            begun.countDown();
            try {
                new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            } catch (InterruptedException ex) {
                interrupt.set(ex);
                throw ex;
            }
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WovenLocks {

        @Bean
        static DistributedLockValidator validator(ConfigurableListableBeanFactory beans) {
            return new DistributedLockValidator(new LockSpecs(text -> text), beans, true);
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
    static class Asynchronously {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(annotation = InBackground.class)
    static class OwnAnnotation {}

    @Configuration(proxyBeanMethods = false)
    static class OneThread {

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(1);
            return executor;
        }
    }
}
