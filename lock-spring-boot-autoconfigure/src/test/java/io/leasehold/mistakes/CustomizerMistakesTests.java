package io.leasehold.mistakes;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.locker.LockerCustomizer;
import io.leasehold.locker.RuntimeLockers;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Customizers whose results cannot be used, and lockers that cannot be created at run time. */
class CustomizerMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s");

    @Test
    void settingsThatAreNull() {
        startWith(settings -> null);
    }

    @Test
    void settingsOfAnotherLocker() {
        startWith(settings -> LockerSettings.of("billing"));
    }

    @Test
    void settingsThatContradictEachOther() {
        startWith(settings -> settings.withMaxHoldTime(Duration.ofSeconds(5)));
    }

    @Test
    void keyThatIsNull() {
        lockWith((locker, key) -> null);
    }

    @Test
    void keyThatIsBlank() {
        lockWith((locker, key) -> " ");
    }

    @Test
    void nameOfALockerThatExists() {
        runner.run(context -> assertOnPage(Assertions.catchThrowable(
                () -> context.getBean(RuntimeLockers.class).create("deploy"))));
    }

    @Test
    void invalidNameAtRunTime() {
        runner.run(context -> assertOnPage(Assertions.catchThrowable(
                () -> context.getBean(RuntimeLockers.class).create("tenant 42"))));
    }

    @Test
    void unknownExecutor() {
        assertOnPage(StartFailures.of(runner.withConfiguration(AutoConfigurations.of(LockAspectAutoConfiguration.class))
                .withBean("jobs", Executor.class, SimpleAsyncTaskExecutor::new)
                .withPropertyValues("lock.aspect.executor=job")));
    }

    private void startWith(LockerCustomizer customizer) {
        assertOnPage(StartFailures.of(runner.withBean("lockSettings", LockerCustomizer.class, () -> customizer)));
    }

    private void lockWith(LockKeyCustomizer customizer) {
        runner.withBean("tenantKeys", LockKeyCustomizer.class, () -> customizer)
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean("deployLocker", Locker.class).lock("service-a"))));
    }
}
