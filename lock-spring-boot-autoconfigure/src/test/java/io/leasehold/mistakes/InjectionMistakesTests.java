package io.leasehold.mistakes;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import jakarta.annotation.Resource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;

/** Lockers that are injected or looked up under a wrong name. */
class InjectionMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s");

    @Test
    void misspeltParameter() {
        assertOnPage(StartFailures.of(runner.withBean(Misspelt.class)));
    }

    @Test
    void parameterThatNamesNoLocker() {
        assertOnPage(StartFailures.of(runner.withBean(Unnamed.class)));
    }

    @Test
    void misspeltQualifier() {
        assertOnPage(StartFailures.of(runner.withBean(Qualified.class)));
    }

    @Test
    void misspeltNameInTheRegistry() {
        assertOnPage(StartFailures.of(runner.withBean(LookedUp.class)));
    }

    @Test
    void beanWithTheNameOfALocker() {
        assertOnPage(StartFailures.of(runner.withBean("deployLocker", String.class, () -> "no locker")));
    }

    @Test
    void sliceWithoutLocks() {
        assertOnPage(StartFailures.of(new ApplicationContextRunner().withBean(Unnamed.class)));
    }

    @Test
    void misspeltResource() {
        assertOnPage(StartFailures.of(runner.withBean("deployments", NamedByField.class)));
    }

    @Test
    void misspeltLazyParameter() {
        assertOnPage(StartFailures.of(runner.withBean(Lazily.class)));
    }

    @Test
    void misspeltProvider() {
        assertOnPage(StartFailures.of(runner.withBean(Provided.class)));
    }

    record Misspelt(Locker depolyLocker) {}

    record Lazily(@Lazy Locker depolyLocker) {}

    record Provided(ObjectProvider<Locker> depolyLocker) {}

    record Unnamed(Locker locker) {}

    record Qualified(@Qualifier("depoly") Locker locker) {}

    static class LookedUp {

        LookedUp(LockerRegistry lockers) {
            lockers.get("depoly");
        }
    }

    static class NamedByField {

        @Resource
        private Locker depolyLocker;

        Locker depolyLocker() {
            return depolyLocker;
        }
    }
}
