package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.autoconfigure.property.LockProperties;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.mock.env.MockEnvironment;

class ShutdownTimeoutTests {

    private final MockEnvironment environment = new MockEnvironment();

    @Test
    void itIsHalfASecondByDefault() {
        assertThat(timeout()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @CsvSource({
        "scheduling, true, 60s, PT1M",
        "execution, true, 60s, PT1M",
        "execution, true, 100ms, PT0.5S",
        "execution, false, 60s, PT0.5S",
        "execution, true, '', PT0.5S",
    })
    void itIsAsLongAsSpringWaitsForTasks(String tasks, boolean await, String period, Duration expected) {
        awaitTasks(tasks, await, period);
        assertThat(timeout()).isEqualTo(expected);
    }

    @Test
    void theLongestWaitCounts() {
        awaitTasks("execution", true, "20s");
        awaitTasks("scheduling", true, "30s");
        assertThat(timeout()).isEqualTo(Duration.ofSeconds(30));
    }

    /** Spring does not limit this wait. */
    @Test
    void forJobsOfQuartzItIsTheTimeOfAPhaseOfTheShutdown() {
        set("spring.quartz.wait-for-jobs-to-complete-on-shutdown", "true");
        assertThat(timeout()).isEqualTo(Duration.ofSeconds(30));
        set("spring.lifecycle.timeout-per-shutdown-phase", "2m");
        assertThat(timeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aTimeoutThatIsSetCounts() {
        awaitTasks("execution", true, "20s");
        set("lock.shutdown.timeout", "1ms");
        assertThat(timeout()).isEqualTo(Duration.ofMillis(1));
    }

    private void awaitTasks(String tasks, boolean await, String period) {
        set("spring.task." + tasks + ".shutdown.await-termination", String.valueOf(await));
        if (!period.isEmpty()) {
            set("spring.task." + tasks + ".shutdown.await-termination-period", period);
        }
    }

    private void set(String property, String value) {
        TestPropertyValues.of(property + "=" + value).applyTo(environment);
    }

    private Duration timeout() {
        return ShutdownTimeout.of(
                environment, Binder.get(environment).bindOrCreate("lock.shutdown", LockProperties.Shutdown.class));
    }
}
