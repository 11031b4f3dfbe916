package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A test that mocks a locker, and calls an annotated method. */
class MockedLockerTests {

    private static final String ADVICE = "In a test, put @AutoConfigureTestLocks on the class instead of mocking ";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Service.class);

    @Test
    void theMessageNamesTheLockerAndTheTestKit() {
        Locker locker = mock(Locker.class);
        given(locker.name()).willReturn("default");
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to visibleKey(\"7\"). " + ADVICE + "the locker");
    }

    @Test
    void theMessageNamesTheAnswerThatALockerLacks() {
        Locker locker = mocked();
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to withoutTransactions(). " + ADVICE + "the locker");
        given(locker.withoutTransactions()).willReturn(locker);
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to withoutKeyCustomizers(). " + ADVICE + "the locker");
    }

    @Test
    void theMessageNamesTheRegistry() {
        assertFailure(
                runner.withBean("registry", LockerRegistry.class, () -> mock(LockerRegistry.class)),
                "The LockerRegistry is a mock that has no answer to get(\"default\"). " + ADVICE + "the registry");
    }

    private static void assertFailure(ApplicationContextRunner runner, String message) {
        runner.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Service.class).run("7"))
                .withMessage(message));
    }

    private static Locker mocked() {
        Locker locker = mock(Locker.class);
        given(locker.name()).willReturn("default");
        given(locker.visibleKey("7")).willReturn("7");
        return locker;
    }

    static class Service {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }
}
