package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A test that mocks a locker, and calls an annotated method. */
class MockedLockerTests {

    @Test
    void theMessageNamesTheLockerAndTheTestKit() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory")
                .withBean("defaultLocker", Locker.class, MockedLockerTests::mocked)
                .withBean(Service.class)
                .run(context -> assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(Service.class).run("7"))
                        .withMessage(
                                "Locker 'default' is a mock without answers. In a test, put @AutoConfigureTestLocks on"
                                        + " the class instead of mocking the locker"));
    }

    private static Locker mocked() {
        Locker locker = mock(Locker.class);
        given(locker.name()).willReturn("default");
        return locker;
    }

    static class Service {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }
}
