package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Nested calls, in one application context and across two in which lockers have the same name. */
class JoinedLocksTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=0s")
            .withBean(Work.class);

    @ParameterizedTest
    @ValueSource(strings = {"lock.mask-keys=false", "lock.mask-keys=true", "lock.leak-detection=true"})
    void aNestedCallJoinsTheLockOfItsOwnContext(String setting) {
        runner.withPropertyValues(setting).run(context -> {
            assertThat(context).hasNotFailed();
            Work work = context.getBean(Work.class);
            locker(context).executeLocked("key", () -> work.run(() -> {}));
            work.run(() -> locker(context).executeLocked("key", () -> {}));
        });
    }

    @Test
    void aNestedCallDoesNotJoinTheLockOfAnotherContext() {
        inTwoContexts((one, other) -> {
            LockHandle held = locker(other).lock("key");
            Work work = other.getBean(Work.class);
            Work outer = one.getBean(Work.class);
            assertRefused(() ->
                    locker(one).executeLocked("key", () -> locker(other).executeLocked("key", this::mustNotRun)));
            assertRefused(() -> locker(one).executeLocked("key", () -> work.run(this::mustNotRun)));
            assertRefused(() -> outer.run(() -> work.run(this::mustNotRun)));
            held.release();
            outer.run(() ->
                    work.run(() -> assertThat(locker(other).tryLock("key")).isEmpty()));
        });
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(LockNotAcquiredException.class);
    }

    private void mustNotRun() {
        throw new AssertionError("ran without its lock");
    }

    private void inTwoContexts(BiConsumer<ApplicationContext, ApplicationContext> test) {
        runner.withPropertyValues("lock.namespace=a")
                .run(one -> runner.withPropertyValues("lock.namespace=b").run(other -> test.accept(one, other)));
    }

    private static Locker locker(ApplicationContext context) {
        return context.getBean("defaultLocker", Locker.class);
    }

    static class Work {

        @DistributedLock("'key'")
        public void run(Runnable work) {
            work.run();
        }
    }
}
