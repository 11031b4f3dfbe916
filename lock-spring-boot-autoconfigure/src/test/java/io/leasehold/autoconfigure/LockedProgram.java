package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/**
 * An application that locks by a locker, by a method that blocks and by one that returns a stage. Refers to classes that
 * every application has, so that it can be loaded from any {@link SmallerClassPath}.
 */
public class LockedProgram implements Runnable {

    @Override
    public void run() {
        configure(new ApplicationContextRunner()
                        .withUserConfiguration(Application.class)
                        .withBean(Work.class)
                        .withPropertyValues("lock.backend=memory", "management.endpoints.web.exposure.include=locks"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    check(context);
                });
    }

    ApplicationContextRunner configure(ApplicationContextRunner runner) {
        return runner;
    }

    void check(AssertableApplicationContext context) {
        Work work = context.getBean(Work.class);
        assertThat(work.token()).isPositive();
        assertThat(work.stage().join()).isPositive();
        assertThat(work.maybe()).isPresent();
        Locker locker = context.getBean(Locker.class);
        CompletableFuture<Long> waiting;
        try (LockHandle handle = locker.lock("a")) {
            waiting = work.stage();
            assertThat(handle.isHeld()).isTrue();
        }
        assertThat(waiting.join()).isPositive();
        try (LockHandle handle = locker.lock("injected")) {
            assertThat(handle.isHeld()).isTrue();
            assertThat(CompletableFuture.supplyAsync(() -> locker.tryLock("injected"))
                            .join())
                    .isEmpty();
        }
        LockHandle later = locker.tryLockAsync(LockRequest.of("injected"))
                .toCompletableFuture()
                .join()
                .orElseThrow();
        later.release();
    }

    /** Imported as in an application: conditions on classes are evaluated before the classes are loaded. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        TaskExecutionAutoConfiguration.class,
        LockAutoConfiguration.class,
        LockDisabledAutoConfiguration.class,
        LockAspectAutoConfiguration.class,
        LockMetricsAutoConfiguration.class,
        LockObservationAutoConfiguration.class,
        LockHealthContributorAutoConfiguration.class,
        LocksEndpointAutoConfiguration.class
    })
    static class Application {}

    /** Locked methods without the types of a library. */
    public static class Work {

        @DistributedLock("'a'")
        public long token() {
            return heldToken();
        }

        @DistributedLock("'a'")
        public CompletableFuture<Long> stage() {
            return CompletableFuture.completedFuture(heldToken());
        }

        @DistributedLock("'a'")
        public Optional<Long> maybe() {
            return Optional.of(heldToken());
        }

        private static long heldToken() {
            return LockContext.find("default", "a")
                    .map(LockHandle::fencingToken)
                    .orElse(0L);
        }
    }
}
