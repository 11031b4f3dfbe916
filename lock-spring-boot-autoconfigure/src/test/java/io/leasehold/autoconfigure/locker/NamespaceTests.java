package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which applications share their locks. */
@ExtendWith(OutputCaptureExtension.class)
class NamespaceTests {

    private static final String NOTICE = "set 'lock.namespace'";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("spring.application.name=orders", "lock.lockers.deploy.ttl=10s")
            .withBean(
                    "store", LockBackend.class, () -> new MemoryLockBackend(System::nanoTime, InstantSource.system()));

    private static final LoggingSystem LOGS = LoggingSystem.get(NamespaceTests.class.getClassLoader());

    @BeforeAll
    static void show() {
        LOGS.setLogLevel(LockerFactory.class.getName(), LogLevel.INFO);
    }

    @AfterAll
    static void hide() {
        LOGS.setLogLevel(LockerFactory.class.getName(), null);
    }

    @Test
    void aLockerKeepsItsKeysUnderItsNameWhateverTheApplicationIsCalled() {
        runner.run(context -> assertThat(namespace(context.getBean(LockerConfigurations.class), "deploy"))
                .isEqualTo("deploy"));
    }

    @Test
    void anApplicationCanKeepItsLocksToItself() {
        runner.withPropertyValues("lock.namespace=${spring.application.name}", "lock.lockers.jobs.namespace=all-jobs")
                .run(context -> {
                    LockerConfigurations lockers = context.getBean(LockerConfigurations.class);
                    assertThat(namespace(lockers, "deploy")).isEqualTo("orders.deploy");
                    assertThat(namespace(lockers, "default")).isEqualTo("orders.default");
                    assertThat(namespace(lockers, "jobs")).isEqualTo("all-jobs");
                });
    }

    @Test
    void theStartSaysOnceWhoSharesTheLocks(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.billing.ttl=10s")
                .run(context -> assertThat(output).containsOnlyOnce(NOTICE).doesNotContain("WARN  [main]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock.namespace=orders", "lock.namespace=", "lock.lockers.deploy.namespace=deploy"})
    void nothingIsSaidOnceThatIsDecided(String decision, CapturedOutput output) {
        runner.withPropertyValues(decision).run(context -> assertThat(output).doesNotContain(NOTICE));
    }

    @Test
    void memorySharesWithNobody(CapturedOutput output) {
        runner.withPropertyValues("lock.backend=memory")
                .run(context -> assertThat(output).doesNotContain(NOTICE));
    }

    @Test
    void aNamespaceWithAColonIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues("lock.namespace=a:b"));

        assertThat(analysis.getDescription()).startsWith("'lock.namespace' must consist of 1 to 128 letters");
    }

    private static String namespace(LockerConfigurations lockers, String locker) {
        return lockers.get(locker).settings().namespace();
    }
}
