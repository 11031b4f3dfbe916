package io.leasehold.mistakes;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.time.Duration;
import java.util.function.Consumer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Calls of a locker that cannot succeed. */
class CallMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory", "lock.lockers.deploy.wait-time=0s", "lock.instance-name=orders@host-1");

    @Test
    void lockThatTheCallerHolds() {
        call(deploy -> {
            deploy.lock("service-a");
            deploy.lock("service-a");
        });
    }

    @Test
    void useAfterRelease() {
        call(deploy -> {
            LockHandle held = deploy.lock("service-a");
            held.close();
            held.requireHeld();
        });
    }

    @Test
    void blankKey() {
        call(deploy -> deploy.lock(" "));
    }

    @Test
    void negativeWaitTime() {
        call(deploy -> deploy.tryLock("service-a", Duration.ofSeconds(-1)));
    }

    @Test
    void lockAfterShutdown() {
        runner.run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            context.close();
            assertOnPage(Assertions.catchThrowable(() -> deploy.lock("service-a")));
        });
    }

    private void call(Consumer<Locker> call) {
        runner.run(context -> assertOnPage(
                Assertions.catchThrowable(() -> call.accept(context.getBean("deployLocker", Locker.class)))));
    }
}
