package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.SingleInstance;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Scheduled jobs that are to run on one instance. */
@ExtendWith(OutputCaptureExtension.class)
class ScheduledJobTests {

    private static final String WARNING = "this one runs it again";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aJobIsNotRunAgainWithinItsMinimumHoldTime(CapturedOutput output) {
        runner.withBean(Single.class).run(context -> {
            Single job = context.getBean(Single.class);
            job.run(() -> {});
            CompletableFuture.runAsync(() -> job.run(() -> {})).join();
            assertThat(job.runs()).isEqualTo(1);
            assertThat(output).doesNotContain(WARNING);
        });
    }

    @Test
    void anInstanceDoesNotWaitForTheOneThatRunsTheJob() {
        runner.withBean(Single.class).run(context -> {
            Single job = context.getBean(Single.class);
            job.run(() -> CompletableFuture.runAsync(() -> job.run(() -> {})).join());
            assertThat(job.runs()).isEqualTo(1);
            assertThat(context.getBean(Locker.class).tryLock("job")).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {WaitsAsConfigured.class, WaitsAsWritten.class, FallsBack.class})
    <T> void aJobThatWaitsBeforeItIsSkippedIsWarnedOf(Class<T> job, CapturedOutput output) {
        runner.withBean(job)
                .run(context -> assertThat(output)
                        .contains(WARNING)
                        .contains(job.getSimpleName() + ".run()")
                        .contains("@SingleInstance"));
    }

    @ParameterizedTest
    @ValueSource(classes = {DoesNotWait.class, NotScheduled.class, Throws.class})
    <T> void otherMethodsAreNotWarnedOf(Class<T> job, CapturedOutput output) {
        runner.withBean(job).run(context -> assertThat(output).doesNotContain(WARNING));
    }

    @Test
    void aLockerThatDoesNotWaitIsNotWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("lock.defaults.wait-time=0")
                .withBean(WaitsAsConfigured.class)
                .run(context -> assertThat(output).doesNotContain(WARNING));
    }

    @Test
    void springRefusesAJobThatReturnsAFutureIfReactorIsThere() {
        runner.withUserConfiguration(Scheduling.class)
                .withBean(ReturnsFuture.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("deferred execution"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class ReturnsFuture {

        @Scheduled(fixedRate = 1000)
        @SingleInstance(key = "'job'", minHoldTime = "1s")
        CompletableFuture<Void> run() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Single {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @SingleInstance(key = "'job'", minHoldTime = "10m")
        public void run(Runnable work) {
            runs.incrementAndGet();
            work.run();
        }
    }

    static class WaitsAsConfigured {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(key = "'job'", onFailure = OnFailure.SKIP)
        public void run() {}
    }

    static class WaitsAsWritten {

        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "0 0 4 * * *")
        @DistributedLock(key = "'job'", waitTime = "1s", onFailure = OnFailure.SKIP)
        public void run() {}
    }

    static class FallsBack {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(key = "'job'", fallbackMethod = "busy")
        public void run() {}

        void busy() {}
    }

    static class DoesNotWait {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(key = "'job'", waitTime = "0", onFailure = OnFailure.SKIP)
        public void run() {}
    }

    static class NotScheduled {

        @DistributedLock(key = "'job'", onFailure = OnFailure.SKIP)
        public void run() {}
    }

    static class Throws {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock("'job'")
        public void run() {}
    }
}
