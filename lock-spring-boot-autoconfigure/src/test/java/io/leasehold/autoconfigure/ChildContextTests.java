package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A child context whose parent has lockers. */
class ChildContextTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    private final ApplicationContextRunner parent = runner.withPropertyValues("lock.lockers.deploy.ttl=60s");

    @Test
    void aNameIsOneLockerInBothContexts() {
        parent.run(above -> parent.withParent(above).run(context -> {
            Locker locker = context.getBean("deployLocker", Locker.class);
            assertThat(locker).isSameAs(above.getBean("deployLocker"));
            assertThat(context.getBean("defaultLocker")).isSameAs(above.getBean("defaultLocker"));
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            assertThat(lockers.names()).containsExactly("default", "deploy");
            assertThat(lockers.get("deploy")).isSameAs(locker);
            try (LockHandle handle = locker.lock("key")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(above.getBean("deployLocker", Locker.class).tryLock("key"))
                        .isEmpty();
                assertThat(lockers.status("deploy").held()).hasSize(1);
            }
        }));
    }

    @Test
    void aChildHasLockersOfItsOwn() {
        parent.run(above -> runner.withParent(above)
                .withPropertyValues("lock.lockers.audit.ttl=20s")
                .run(context -> {
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    assertThat(lockers.names()).containsExactly("audit", "default", "deploy");
                    assertThat(lockers.get("audit")).isSameAs(context.getBean("auditLocker"));
                    assertThat(lockers.get("deploy")).isSameAs(above.getBean("deployLocker"));
                    assertThat(lockers.status("audit").backend()).isEqualTo("memory");
                    assertThat(above.getBean(LockerRegistry.class).names()).containsExactly("default", "deploy");
                }));
    }

    @Test
    void lockersOfAParentStayWhenAChildIsClosed() {
        parent.run(above -> {
            parent.withParent(above)
                    .run(context -> context.getBean("deployLocker", Locker.class)
                            .lock("key")
                            .close());
            assertThat(above.getBean("deployLocker", Locker.class).tryLock("key"))
                    .isPresent();
        });
    }
}
