package io.leasehold.test.autoconfigure;

import static io.leasehold.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.test.TestLocks;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;

/** The kit of a test whose application has a parent context, which has the lockers. */
@SpringBootTest
@ContextHierarchy({
    @ContextConfiguration(classes = TestLocksInHierarchyTests.Parent.class),
    @ContextConfiguration(classes = TestLocksInHierarchyTests.Child.class)
})
@AutoConfigureTestLocks
class TestLocksInHierarchyTests {

    /** The second run shows that nothing remains of the first one. */
    @RepeatedTest(2)
    void locksOfTheParentAreDisturbedAndReset(@Autowired TestLocks locks, @Autowired Service service) {
        assertThat(service.locker()).isFree("invoices");
        assertThat(service.locker().lock("invoices")).isHeld();
        assertThat(locks.held()).hasSize(1);
        locks.holdElsewhere("orders");
        assertThat(service.locker()).isLocked("orders");
    }

    record Service(Locker locker) {}

    @Configuration(proxyBeanMethods = false)
    static class Parent {

        @Bean
        Service service(Locker locker) {
            return new Service(locker);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Child {}
}
