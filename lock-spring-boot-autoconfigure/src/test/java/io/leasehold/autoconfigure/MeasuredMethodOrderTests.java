package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.micrometer.core.annotation.Timed;
import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.annotation.Observed;
import io.micrometer.observation.aop.ObservedAspect;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Micrometer's annotations measure the method inside of the lock, as docs/order.md describes it. */
@Timeout(60)
class MeasuredMethodOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withUserConfiguration(Measurements.class)
            .withBean(Measured.class);

    @Test
    void aCallWithoutTheLockIsNotTimed() {
        runner.run(context -> {
            Measured measured = context.getBean(Measured.class);
            try (LockHandle held = context.getBean(Locker.class).lock("a")) {
                assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(measured::timed);
                assertThat(held.isHeld()).isTrue();
            }
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.find("measured").timer()).isNull();
            measured.timed();
            assertThat(meters.get("measured").timer().count()).isEqualTo(1);
        });
    }

    @Test
    void aCallWithoutTheLockIsNotObserved() {
        runner.run(context -> {
            Measured measured = context.getBean(Measured.class);
            AtomicInteger observed = context.getBean(AtomicInteger.class);
            try (LockHandle held = context.getBean(Locker.class).lock("a")) {
                assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(measured::observed);
                assertThat(held.isHeld()).isTrue();
            }
            assertThat(observed).hasValue(0);
            measured.observed();
            assertThat(observed).hasValue(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Measurements {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        TimedAspect timedAspect(MeterRegistry meters) {
            return new TimedAspect(meters);
        }

        @Bean
        AtomicInteger observed() {
            return new AtomicInteger();
        }

        @Bean
        ObservedAspect observedAspect(AtomicInteger observed) {
            ObservationRegistry observations = ObservationRegistry.create();
            observations.observationConfig().observationPredicate((name, context) -> {
                observed.incrementAndGet();
                return true;
            });
            observations.observationConfig().observationHandler(context -> true);
            return new ObservedAspect(observations);
        }
    }

    public static class Measured {

        @Timed("measured")
        @DistributedLock(key = "'a'", waitTime = "0")
        public void timed() {}

        @Observed(name = "measured")
        @DistributedLock(key = "'a'", waitTime = "0")
        public void observed() {}
    }
}
