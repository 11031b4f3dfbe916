package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.SingleInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** The recipes of docs/scheduling.md for jobs: a scheduler fires a job whose lock another instance has. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ScheduledOnInstancesTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskSchedulingAutoConfiguration.class,
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class))
            .withUserConfiguration(Scheduling.class)
            .withBean(AcquireOutcomes.class)
            .withBean(OtherInstance.class)
            .withPropertyValues("lock.backend=memory");

    @ParameterizedTest
    @ValueSource(classes = {Blocking.class, Later.class})
    void aJobIsSkippedWithoutAnErrorLine(Class<? extends Job> job, CapturedOutput output) {
        skips(runner.withBean(job), output);
    }

    @ParameterizedTest
    @ValueSource(classes = {Blocking.class, Later.class})
    @Tag("jdk25")
    void aJobOnVirtualThreadsIsSkippedWithoutAnErrorLine(Class<? extends Job> job, CapturedOutput output) {
        String thread = skips(runner.withBean(job).withPropertyValues("spring.threads.virtual.enabled=true"), output);
        assertThat(thread).startsWith("VirtualThread[");
    }

    /**
     * While the other instance has the lock, the job is only tried; then it runs once within its minimum hold time.
     *
     * @return the thread on which it ran
     */
    private static String skips(ApplicationContextRunner runner, CapturedOutput output) {
        AtomicReference<String> thread = new AtomicReference<>("");
        runner.run(context -> {
            AcquireOutcomes outcomes = context.getBean(AcquireOutcomes.class);
            Job job = context.getBean(Job.class);
            await().atMost(SOON).until(() -> outcomes.notAcquired() >= 3);
            assertThat(job.runs()).isEmpty();

            context.getBean(OtherInstance.class).job.close();
            await().atMost(SOON).until(() -> job.runs().size() == 1);
            long before = outcomes.notAcquired();
            await().atMost(SOON).until(() -> outcomes.notAcquired() >= before + 3);
            assertThat(job.runs()).hasSize(1);
            assertThat(output).doesNotContain("ERROR").doesNotContain("Exception");
            thread.set(job.runs().get(0));
        });
        return thread.get();
    }

    /** Has the lock before the scheduler starts. */
    static class OtherInstance {

        final LockHandle job;

        OtherInstance(Locker locker) {
            job = locker.lock("job");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    abstract static class Job {

        private final List<String> threads = new CopyOnWriteArrayList<>();

        final void ran() {
            threads.add(Thread.currentThread().toString());
        }

        /** The threads on which it ran. */
        public List<String> runs() {
            return threads;
        }
    }

    static class Blocking extends Job {

        @Scheduled(fixedDelay = 5)
        @SingleInstance(key = "'job'", minHoldTime = "10m")
        public void run() {
            ran();
        }
    }

    static class Later extends Job {

        @Scheduled(fixedDelay = 5)
        @SingleInstance(key = "'job'", minHoldTime = "10m")
        public Mono<Void> run() {
            return Mono.fromRunnable(this::ran);
        }
    }
}
