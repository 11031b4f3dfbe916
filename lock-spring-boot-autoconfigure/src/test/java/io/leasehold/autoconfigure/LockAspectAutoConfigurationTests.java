package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.DistributedLockAspect;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Whether annotated methods run under their locks. */
class LockAspectAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Work.class);

    @Test
    void annotatedMethodsAreLocked() {
        runner.run(
                context -> assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void annotatedMethodsAreLockedBesideTheAspectsOfTheApplication() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void annotatedMethodsAreLockedWithoutAutomaticAspects() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues("spring.aop.auto=false")
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void annotatedMethodsAreLockedWithoutAspectJ() {
        runner.withClassLoader(new FilteredClassLoader("org.aspectj"))
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void theOrderIsJustOutsideOfTransactionsUnlessItIsSet() {
        runner.run(context -> assertThat(
                        context.getBean(DistributedLockAdvisor.class).getOrder())
                .isEqualTo(DistributedLockAdvisor.DEFAULT_ORDER));
        runner.withPropertyValues("lock.aspect.order=7")
                .run(context -> assertThat(
                                context.getBean(DistributedLockAdvisor.class).getOrder())
                        .isEqualTo(7));
    }

    @Test
    void nothingIsInterceptedWhenSwitchedOff() {
        runner.withPropertyValues("lock.aspect.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(DistributedLockAspect.class).hasSingleBean(Locker.class);
            assertThat(AopUtils.isAopProxy(context.getBean(Work.class))).isFalse();
        });
    }

    @Test
    void thereIsNoAspectWithoutLockers() {
        runner.withPropertyValues("lock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(DistributedLockAspect.class));
    }

    public static class Work {

        @DistributedLock(key = "'work'")
        public String lockedKey() {
            return LockContext.current().orElseThrow().key();
        }
    }
}
