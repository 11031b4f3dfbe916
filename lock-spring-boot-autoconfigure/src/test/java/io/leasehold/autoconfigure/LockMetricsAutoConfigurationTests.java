package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.metrics.MicrometerLockListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Whether locks are metered. */
class LockMetricsAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockMetricsAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s");

    @Test
    void countersAreThereBeforeTheFirstLock() {
        runner.withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("lock.acquire")
                            .tags("locker", "deploy", "backend", "memory", "outcome", "timeout")
                            .timer()
                            .count())
                    .isZero();
        });
    }

    @Test
    void locksAreCounted() {
        runner.withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            try (LockHandle handle =
                    context.getBean("deployLocker", Locker.class).lock("key")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(meters.get("lock.held").gauge().value()).isEqualTo(1);
            }
            assertThat(meters.get("lock.acquire")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("lock.hold").timer().count()).isEqualTo(1);
        });
    }

    @Test
    void aRegistryThatOutlivesItsContextsKeepsNoneOfThem() {
        SimpleMeterRegistry outliving = new SimpleMeterRegistry();
        List<WeakReference<LockerRegistry>> closed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runner.withBean("meters", MeterRegistry.class, () -> outliving).run(context -> {
                context.getBean("deployLocker", Locker.class).lock("key").close();
                closed.add(new WeakReference<>(context.getBean(LockerRegistry.class)));
            });
        }
        await().untilAsserted(() -> {
            System.gc();
            assertThat(closed).allMatch(lockers -> lockers.get() == null);
        });
        assertThat(outliving.get("lock.hold").timer().count()).isEqualTo(3);
        assertThat(outliving.find("lock.held").gauge()).isNull();
    }

    @Test
    void anotherContextThatClosesLeavesTheMetersOfTheLeaseTable() {
        MeterRegistry shared = new SimpleMeterRegistry();
        ApplicationContextRunner sibling = jdbc().withBean(MeterRegistry.class, () -> shared);
        sibling.run(first -> {
            sibling.run(second -> assertThat(second).hasNotFailed());
            assertThat(shared.get("lock.jdbc.connections").gauge().value()).isEqualTo(1);
            assertThat(shared.get("lock.jdbc.ended").functionCounters()).hasSize(2);
        });
        assertThat(shared.find("lock.jdbc.connections").gauge()).isNull();
    }

    @Test
    void aContextThatClosesGivesTheMetersOfTheLeaseTableToTheOther() {
        MeterRegistry shared = new SimpleMeterRegistry();
        ApplicationContextRunner sibling = jdbc().withBean(MeterRegistry.class, () -> shared);
        sibling.run(first -> {
            first.getBean("deployLocker", Locker.class).lock("key").close();
            sibling.run(second -> {
                second.getBean("deployLocker", Locker.class).lock("key").close();
                first.getSourceApplicationContext(ConfigurableApplicationContext.class)
                        .close();
                assertThat(shared.get("lock.jdbc.connections").gauge().value()).isEqualTo(1);
                assertThat(shared.get("lock.jdbc.ended").functionCounters()).hasSize(2);
            });
        });
        assertThat(shared.find("lock.jdbc.connections").gauge()).isNull();
    }

    @Test
    void connectionsOfTheLeaseTableAreMetered() {
        jdbc().withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("lock.jdbc.connections").gauge().value()).isEqualTo(1);
            assertThat(meters.get("lock.jdbc.queued")
                            .tag("backend", "jdbc")
                            .gauge()
                            .value())
                    .isZero();
            for (String outcome : List.of("not_sent", "not_answered")) {
                assertThat(meters.get("lock.jdbc.ended")
                                .tag("outcome", outcome)
                                .functionCounter()
                                .count())
                        .isZero();
            }

            context.getBean("deployLocker", Locker.class).lock("key").close();
            assertThat(meters.get("hikaricp.connections.max")
                            .tag("pool", "leasehold-jdbc")
                            .gauge()
                            .value())
                    .isGreaterThanOrEqualTo(2);
        });
    }

    @Test
    void connectionsOfRowLocksAreMetered() {
        runner.withPropertyValues(
                        "lock.lockers.deploy.backend=row-lock",
                        "lock.row-lock.url=jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1",
                        "lock.row-lock.connections=2",
                        "lock.row-lock.initialize-schema=true")
                .withBean(SimpleMeterRegistry.class)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertThat(meters.get("lock.jdbc.connections")
                                    .tag("backend", "row-lock")
                                    .gauge()
                                    .value())
                            .isEqualTo(2);

                    LockHandle held =
                            context.getBean("deployLocker", Locker.class).lock("key");
                    assertThat(meters.get("hikaricp.connections.active")
                                    .tag("pool", "leasehold-rows")
                                    .gauge()
                                    .value())
                            .isPositive();
                    held.release();
                });
    }

    @Test
    void metersOfTheLeaseTableEndWithTheirContext() {
        SimpleMeterRegistry outliving = new SimpleMeterRegistry();
        jdbc().withBean("meters", MeterRegistry.class, () -> outliving).run(context -> {
            context.getBean("deployLocker", Locker.class).lock("key").close();
            assertThat(outliving.find("lock.jdbc.active").gauge()).isNotNull();
            assertThat(outliving.find("hikaricp.connections").gauge()).isNotNull();
        });
        assertThat(outliving.getMeters())
                .extracting(meter -> meter.getId().getName())
                .noneMatch(name -> name.startsWith("lock.jdbc.") || name.startsWith("hikaricp."));
    }

    @Test
    void metersAreThoseOfTheStoreThatIsOpenAfterAStopAndStart() {
        jdbc().withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            Locker locker = context.getBean("deployLocker", Locker.class);
            locker.lock("key").close();
            Gauge closed = meters.get("lock.jdbc.connections").gauge();
            ConfigurableApplicationContext application = context.getSourceApplicationContext();
            application.stop();
            application.start();
            locker.lock("key").close();
            assertThat(meters.get("lock.jdbc.connections").gauges())
                    .singleElement()
                    .isNotSameAs(closed);
            assertThat(meters.get("lock.jdbc.ended").functionCounters()).hasSize(2);
        });
    }

    private ApplicationContextRunner jdbc() {
        return runner.withPropertyValues(
                "lock.lockers.deploy.backend=jdbc",
                "lock.jdbc.url=jdbc:h2:mem:metered;DB_CLOSE_DELAY=-1",
                "lock.jdbc.connections=1",
                "lock.jdbc.initialize-schema=true");
    }

    @Test
    void nothingIsMeteredWithoutARegistry() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MicrometerLockListener.class));
    }

    @Test
    void nothingIsMeteredWithoutMicrometer() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("leaseholdMicrometerListener"));
    }

    @Test
    void nothingIsMeteredWhenSwitchedOff() {
        runner.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("lock.metrics.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(MicrometerLockListener.class));
    }

    @Test
    void nothingIsMeteredWithoutLockers() {
        runner.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("lock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MicrometerLockListener.class));
    }
}
