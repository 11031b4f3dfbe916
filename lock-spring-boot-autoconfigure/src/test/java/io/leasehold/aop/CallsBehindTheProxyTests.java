package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.batch.core.annotation.AfterJob;
import org.springframework.batch.core.annotation.BeforeStep;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.listener.StepExecutionListener;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.CircuitBreaker;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Recover;
import org.springframework.retry.annotation.Retryable;

/** Methods that a library calls on the object behind the proxy. */
class CallsBehindTheProxyTests {

    /** {@code SimpleMethodInvoker} of Spring Batch takes the target of the proxy. */
    @ParameterizedTest
    @ValueSource(classes = {StepListener.class, JobListener.class})
    void aMethodThatSpringBatchCallsIsRefused(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .rootCause()
                        .hasMessageContaining("of Spring Batch calls it on the object behind the proxy"));
    }

    @Test
    void aMethodOfAnInterfaceOfSpringBatchIsLocked() {
        LockedContext.with(ListenerByInterface.class).run(context -> {
            context.getBean(StepExecutionListener.class).beforeStep(null);
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("step");
        });
    }

    /** An annotated type means the work of the bean, not the callbacks of the library. */
    @Test
    void aListenerOfAnAnnotatedTypeIsNotRefused() {
        LockedContext.with(ListenerOfAnnotatedType.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                PackagePrivateRecovery.class,
                RecoveryOfCircuitBreaker.class,
                RecoveryOfAnnotatedType.class,
                StatefulType.class
            })
    void aRecoveryMethodThatSpringRetryCallsOnTheTargetIsRefused(Class<?> bean) {
        LockedContext.with(bean, Retries.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .rootCause()
                        .hasMessageContaining("@Recover of Spring Retry calls it on the object behind the proxy"));
    }

    @Test
    void aPublicRecoveryMethodIsLocked() {
        LockedContext.with(Recovery.class, Retries.class).run(context -> {
            context.getBean(Recovery.class).work("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("recovered-a");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry
    static class Retries {}

    public static class StepListener {

        @BeforeStep
        @DistributedLock("#execution.stepName")
        public void before(StepExecution execution) {}
    }

    public static class JobListener {

        @AfterJob
        @DistributedLock("'job'")
        public void after(JobExecution execution) {}
    }

    public static class ListenerByInterface implements StepExecutionListener {

        @Override
        @DistributedLock("'step'")
        public void beforeStep(StepExecution execution) {}
    }

    @DistributedLock("'type'")
    public static class ListenerOfAnnotatedType {

        @BeforeStep
        public void before(StepExecution execution) {}
    }

    public static class Recovery {

        @Retryable(maxAttempts = 1)
        public void work(String key) {
            throw new IllegalStateException();
        }

        @Recover
        @DistributedLock("'recovered-' + #key")
        public void recover(IllegalStateException failure, String key) {}
    }

    public static class PackagePrivateRecovery {

        @Retryable(maxAttempts = 1)
        public void work(String key) {
            throw new IllegalStateException();
        }

        @Recover
        @DistributedLock("'recovered-' + #key")
        void recover(IllegalStateException failure, String key) {}
    }

    public static class RecoveryOfCircuitBreaker {

        @CircuitBreaker(maxAttempts = 1)
        public void work(String key) {
            throw new IllegalStateException();
        }

        @Recover
        @DistributedLock("'recovered-' + #key")
        public void recover(IllegalStateException failure, String key) {}
    }

    @DistributedLock("#key")
    public static class RecoveryOfAnnotatedType {

        @CircuitBreaker(maxAttempts = 1)
        public void work(String key) {
            throw new IllegalStateException();
        }

        @Recover
        public void recover(IllegalStateException failure, String key) {}
    }

    @Retryable(stateful = true)
    public static class StatefulType {

        public void work(String key) {
            throw new IllegalStateException();
        }

        @Recover
        @DistributedLock("'recovered-' + #key")
        public void recover(IllegalStateException failure, String key) {}
    }
}
