package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The locker that nobody has configured, and that a method locks in. */
class UsedDefaultLockerTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class));

    @Test
    void itsMissingStoreStopsTheStart() {
        FailureAnalysis analysis = StartFailures.of(runner.withBean(Work.class));

        assertThat(analysis.getDescription())
                .startsWith("'lock.backend' must be set, since no store is configured in which to keep locks");
        assertThat(analysis.getCause()).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void itsMetersAreThereFromTheStart() {
        runner.withPropertyValues("lock.backend=memory")
                .withBean(SimpleMeterRegistry.class)
                .withBean(Work.class)
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("lock.acquire")
                                .tags("locker", "default", "backend", "memory", "outcome", "timeout")
                                .timer()
                                .count())
                        .isZero());
    }

    @Test
    void itsMetersAreThereAlsoIfItIsMadeLater() {
        runner.withPropertyValues("lock.backend=memory")
                .withBean(SimpleMeterRegistry.class)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertThat(meters.find("lock.held").gauge()).isNull();
                    context.getBean(LockerRegistry.class).get("default");
                    assertThat(meters.get("lock.held").tag("locker", "default").gauge())
                            .isNotNull();
                });
    }

    @Test
    void aSubscriptionMakesNoBeans() {
        runner.withUserConfiguration(Store.class).withBean(Work.class).run(context -> {
            Work work = context.getBean(Work.class);
            assertThat(work.reactive().subscribeOn(Schedulers.parallel()).block())
                    .isEqualTo("work");
            assertThat(context.getBean(Store.class).madeOn.get()).isSameAs(Thread.currentThread());
        });
    }

    @Test
    void aBeanThatIsMadeLaterBringsItsLockerAlong() {
        runner.withUserConfiguration(Store.class, LaterWork.class).run(context -> {
            assertThat(context.getBean(Store.class).madeOn.get()).isNull();
            Work work = context.getBean(Work.class);
            assertThat(context.getBean(Store.class).madeOn.get()).isSameAs(Thread.currentThread());
            assertThat(work.reactive().subscribeOn(Schedulers.parallel()).block())
                    .isEqualTo("work");
        });
    }

    @Test
    void aDefaultThatNothingUsesIsNotMade() {
        runner.withUserConfiguration(Store.class)
                .withPropertyValues("lock.lockers.deploy.backend=memory")
                .run(context ->
                        assertThat(context.getBean(Store.class).madeOn.get()).isNull());
    }

    static class Work {

        @DistributedLock(key = "'work'")
        public Mono<String> reactive() {
            return Mono.deferContextual(context -> Mono.just("work"));
        }

        @DistributedLock(key = "'other'")
        public boolean blocking() {
            return LockContext.current().isPresent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Store {

        private final AtomicReference<Thread> madeOn = new AtomicReference<>();

        @Bean
        @Lazy
        LockBackend store() {
            madeOn.set(Thread.currentThread());
            return new MemoryLockBackend(System::nanoTime, InstantSource.system());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LaterWork {

        @Bean
        @Lazy
        Work work() {
            return new Work();
        }
    }
}
