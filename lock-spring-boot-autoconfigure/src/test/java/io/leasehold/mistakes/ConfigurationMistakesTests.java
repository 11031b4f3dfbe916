package io.leasehold.mistakes;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockDisabledAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Properties that are missing, misspelt, out of range, or contradict each other. */
class ConfigurationMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    LockAutoConfiguration.class,
                    LockDisabledAutoConfiguration.class,
                    LockAspectAutoConfiguration.class))
            .withBean("user", User.class);

    @Test
    void noStore() {
        startWith();
    }

    @Test
    void severalStores() {
        startWith("spring.data.redis.host=localhost", "lock.etcd.endpoints=http://localhost:2379");
    }

    @Test
    void unknownStore() {
        startWith("lock.backend=reddis");
    }

    @Test
    void misspeltGroup() {
        startWith("lock.backend=memory", "lock.lokers.deploy.ttl=30s");
    }

    @Test
    void misspeltSetting() {
        startWith("lock.backend=memory", "lock.lockers.deploy.tll=30s");
    }

    @Test
    void misspeltSettingOfAllLockers() {
        startWith("lock.backend=memory", "lock.defaults.tll=30s");
    }

    @Test
    void settingOutsideOfDefaults() {
        startWith("lock.backend=memory", "lock.ttl=30s");
    }

    @Test
    void numberWithoutUnit() {
        startWith("lock.backend=memory", "lock.lockers.deploy.ttl=30");
    }

    @Test
    void commandTimeoutTooLong() {
        startWith("lock.backend=memory", "lock.lockers.deploy.ttl=3s", "lock.lockers.deploy.command-timeout=2s");
    }

    @Test
    void namespaceWithColon() {
        startWith("lock.backend=memory", "lock.lockers.deploy.namespace=shop:deploy");
    }

    @Test
    void missingSslBundle() {
        startWith("lock.etcd.endpoints=https://localhost:1", "lock.etcd.ssl.bundle=etdc");
    }

    @Test
    void circuitBreakerWithoutLibrary() {
        assertOnPage(StartFailures.of(runner.withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
                .withPropertyValues(
                        "lock.backend=memory", "lock.lockers.deploy.ttl=30s", "lock.circuit-breaker.enabled=true")));
    }

    @Test
    void aspectjWithoutWeaver() {
        startWith("lock.backend=memory", "lock.aspect.mode=aspectj");
    }

    @Test
    void aspectjWithoutLibrary() {
        assertOnPage(StartFailures.of(runner.withClassLoader(new FilteredClassLoader("org.aspectj"))
                .withPropertyValues("lock.backend=memory", "lock.aspect.mode=aspectj")));
    }

    @Test
    void disabledWithoutMode() {
        startWith("lock.enabled=false", "lock.lockers.deploy.ttl=30s");
    }

    @Test
    void lockWhileDisabled() {
        runner.withPropertyValues("lock.enabled=false", "lock.disabled-mode=fail", "lock.lockers.deploy.ttl=30s")
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean("deployLocker", Locker.class).lock("service-a"))));
    }

    @Test
    void lockerOutsideOfLockers() {
        startWith("lock.backend=memory", "lock.deploy.ttl=30s");
    }

    @Test
    void settingInPlaceOfALocker() {
        startWith("lock.backend=memory", "lock.lockers.ttl=30s");
    }

    @Test
    void lockerWithAValue() {
        startWith("lock.backend=memory", "lock.lockers.deploy=30s");
    }

    @Test
    void settingOfALockerWithoutValue() {
        startWith("lock.backend=memory", "lock.lockers.deploy.ttl=");
    }

    @Test
    void groupWithAValue() {
        startWith("lock.backend=memory", "lock.safety=warn");
    }

    @Test
    void misspeltSwitch() {
        startWith("lock.backend=memory", "lock.shedlock.loker=deploy");
    }

    @Test
    void listOfLockers() {
        startWith("lock.backend=memory", "lock.lockers[0].name=deploy", "lock.lockers[0].ttl=30s");
    }

    @Test
    void listOfStores() {
        startWith("lock.backend[0]=memory", "lock.backend[1]=redis");
    }

    @Test
    void durationInWords() {
        startWith("lock.backend=memory", "lock.lockers.deploy.ttl=30 seconds");
    }

    @Test
    void namespaceWithoutValue() {
        startWith("lock.backend=memory", "lock.namespace=${spring.application.name}");
    }

    @Test
    void ttlLongerThanTheMaximumHoldTime() {
        startWith("lock.backend=memory", "lock.defaults.max-hold-time=30s", "lock.lockers.deploy.ttl=1m");
    }

    @Test
    void misspeltFinding() {
        startWith("lock.backend=memory", "lock.safety.levels.maxmemory-polcy=fail");
    }

    @Test
    void nameWithADot() {
        startWith("lock.backend=memory", "lock.lockers.eu.orders.ttl=30s");
    }

    /** As YAML reads a name without quotes. */
    @Test
    void numberAsName() {
        startWith("lock.backend=memory", "lock.lockers[2024].ttl=30s");
    }

    private void startWith(String... properties) {
        assertOnPage(StartFailures.of(runner.withPropertyValues(properties)));
    }

    /** Needs the default locker, so that its store is chosen at start-up. */
    record User(Locker defaultLocker) {}
}
