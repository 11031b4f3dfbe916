package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.locker.LockerCustomizer;
import io.leasehold.locker.RuntimeLockers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A ttl below a second of a locker or an annotation is reported. */
@ExtendWith(OutputCaptureExtension.class)
class ShortTtlTests {

    private static final String PROBLEM =
            " is less than a second: a pause of the JVM or of the network of 500 ms loses";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aTtlOfASecondIsNotReported(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=1s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("less than a second");
    }

    @Test
    void thatOfAPropertyIsReported(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=500ms")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("'lock.lockers.deploy.ttl' (500ms)" + PROBLEM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-5s", "5us"})
    void oneThatIsRefusedIsNotReportedAsWell(String ttl, CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=" + ttl)
                .run(context -> assertThat(context).hasFailed());
        assertThat(output).doesNotContain("less than a second");
    }

    @Test
    void thatOfAnAnnotationIsReported(CapturedOutput output) {
        runner.withBean("hasty", Hasty.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce(
                        "The ttl of io.leasehold.autoconfigure.ShortTtlTests$Hasty.run() (bean 'hasty')" + PROBLEM);
    }

    @Test
    void thatOfACustomizerIsReported(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.wait-time=0s")
                .withBean(LockerCustomizer.class, () -> settings -> settings.withTtl(Duration.ofMillis(500)))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("The ttl of locker 'deploy', set by code," + PROBLEM);
    }

    @Test
    void thatOfALockerOfRunTimeIsReported(CapturedOutput output) {
        runner.run(context -> context.getBean(RuntimeLockers.class)
                .create("tenant", settings -> settings.withTtl(Duration.ofMillis(500))));
        assertThat(output).containsOnlyOnce("The ttl of locker 'tenant', set by code," + PROBLEM);
    }

    static class Hasty {

        @DistributedLock(key = "'k'", ttl = "500ms")
        public void run() {}
    }
}
