package io.leasehold.autoconfigure;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.jfr.FlightRecorderLockListener;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.observation.ObservationLockListener;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import reactor.core.publisher.Mono;

/** Whether locks are observed, and what else is made of the observations. */
@ExtendWith(OutputCaptureExtension.class)
class LockObservationAutoConfigurationTests {

    private static final String REACTOR_KEY = "micrometer.observation";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockFlightRecorderAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class,
                    LockObservationAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s");

    private final ApplicationContextRunner boot = runner.withConfiguration(AutoConfigurations.of(
            ObservationAutoConfiguration.class,
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class));

    @Test
    void observationsBecomeNoMeters() {
        boot.run(context -> {
            context.getBean("deployLocker", Locker.class).lock("key").close();
            Observation.start("request", context.getBean(ObservationRegistry.class))
                    .stop();

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("lock.acquire")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("request").timer().count()).isEqualTo(1);
            assertThat(meters.getMeters())
                    .extracting(Meter::getId)
                    .extracting(Meter.Id::getName)
                    .doesNotContain(
                            "lock.acquisition", "lock.acquisition.active", "lock.holding", "lock.holding.active");
            assertThat(context).hasSingleBean(ObservationLockListener.class);
        });
    }

    @Test
    void aPropertyThatAListenerOfTheApplicationHidesIsWarnedOf(CapturedOutput output) {
        boot.withPropertyValues("lock.observations.include-key=true")
                .withBean(
                        "own",
                        ObservationLockListener.class,
                        () -> new ObservationLockListener(ObservationRegistry.NOOP, null, false))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce(
                        "'lock.observations.include-key' (set in \"lock.observations.include-key\" from property"
                                + " source \"test\") has no effect, because the application defines the bean 'own'. Remove that"
                                + " bean or the property");
    }

    /** Each context has a listener of its own, which uses the property. */
    @Test
    void aChildContextIsNotWarnedOfAPropertyThatItsParentUses(CapturedOutput output) {
        ApplicationContextRunner keys = boot.withPropertyValues("lock.observations.include-key=true");
        keys.run(parent -> keys.withParent(parent)
                .run(context -> assertThat(context).hasSingleBean(ObservationLockListener.class)));
        assertThat(output).doesNotContain("has no effect");
    }

    /** That of the parent does not know the store, and has another setting. */
    @Test
    void theLocksOfAChildContextAreObservedByItsOwnListenerAlone() {
        runner.withUserConfiguration(Observed.class)
                .withPropertyValues("lock.observations.include-key=true")
                .run(parent -> runner.withParent(parent)
                        .withInitializer(context -> context.getEnvironment()
                                .getPropertySources()
                                .addFirst(new MapPropertySource(
                                        "child",
                                        Map.of(
                                                "lock.observations.include-key", "false",
                                                "lock.lockers.of-child.ttl", "10s"))))
                        .run(context -> {
                            context.getBean("ofChildLocker", Locker.class)
                                    .lock("key")
                                    .close();
                            assertThat(context.getBean(TestObservationRegistry.class))
                                    .hasNumberOfObservationsWithNameEqualTo("lock.acquisition", 1)
                                    .hasObservationWithNameEqualTo("lock.acquisition")
                                    .that()
                                    .hasLowCardinalityKeyValue("backend", "memory")
                                    .doesNotHaveHighCardinalityKeyValueWithKey("key");
                        }));
    }

    /** A listener of the application observes the locks of both contexts. */
    @Test
    void aListenerOfTheApplicationInAParentContextStaysTheOnlyOne() {
        boot.withBean(
                        "own",
                        ObservationLockListener.class,
                        () -> new ObservationLockListener(ObservationRegistry.NOOP, null, false))
                .run(parent -> boot.withParent(parent)
                        .run(context -> assertThat(context.getBean(ObservationLockListener.class))
                                .isSameAs(parent.getBean("own"))));
    }

    @Test
    void nothingIsObservedWithoutARegistryOrIfSwitchedOff() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservationLockListener.class));
        boot.withPropertyValues("lock.observations.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ObservationLockListener.class));
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservationLockListener.class));
    }

    @Test
    void theFlightRecorderIsLeftOutOfARuntimeWithoutIt() {
        runner.run(context -> assertThat(context).hasSingleBean(FlightRecorderLockListener.class));
        runner.withClassLoader(new FilteredClassLoader("jdk.jfr"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FlightRecorderLockListener.class));
    }

    @Test
    void keysAreObservedIfThatIsConfigured() {
        runner.withUserConfiguration(Observed.class)
                .withPropertyValues("lock.observations.include-key=true")
                .run(context -> {
                    context.getBean("deployLocker", Locker.class).lock("key").close();
                    assertThat(context.getBean(TestObservationRegistry.class))
                            .hasObservationWithNameEqualTo("lock.acquisition")
                            .that()
                            .hasHighCardinalityKeyValue("key", "key");
                });
    }

    @Test
    void allLocksOfAMonoAreBelowTheObservationOfItsContext() {
        runner.withUserConfiguration(Observed.class).run(context -> {
            TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
            Observation request = Observation.start("request", registry);
            context.getBean(Orders.class)
                    .both(List.of("a", "b"))
                    .contextWrite(reactor -> reactor.put(REACTOR_KEY, request))
                    .block();
            assertThatAcquisitionsAreBelow(request, 2, registry);
        });
    }

    @Test
    void aLockThatIsTakenOnAnotherThreadIsBelowTheObservationOfTheCaller() {
        runner.withUserConfiguration(Observed.class).run(context -> {
            TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
            Locker locker = context.getBean("deployLocker", Locker.class);
            LockHandle first = locker.lock(LockRequest.of("a"));
            Observation request = Observation.start("request", registry);
            Observation.Scope scope = request.openScope();
            CompletableFuture<String> done = context.getBean(Orders.class).bothAsync(List.of("a", "b"));
            scope.close();
            first.close();
            assertThat(done).succeedsWithin(Duration.ofSeconds(30));
            assertThatAcquisitionsAreBelow(request, 2, registry);
        });
    }

    /** Threads of pools come back, without the observation that they had. */
    @Test
    void aLockThatIsTakenWhenTheThreadOfTheCallComesBackIsBelowTheObservationOfTheCaller() {
        runner.withUserConfiguration(Observed.class, Gated.class).run(context -> {
            TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
            Observation request = Observation.start("request", registry);
            CompletableFuture<String> done;
            try (Observation.Scope scope = request.openScope()) {
                assertThat(scope.getCurrentObservation()).isSameAs(request);
                done = context.getBean(GatedOrders.class).bothAsync(List.of("a", "b"));
            }
            context.getBean(Gated.class).gate.complete(null);
            assertThat(done).succeedsWithin(Duration.ofSeconds(30));
            assertThatAcquisitionsAreBelow(request, 1, registry);
        });
    }

    private static void assertThatAcquisitionsAreBelow(
            Observation parent, int acquisitions, TestObservationRegistry registry) {
        assertThat(registry)
                .hasHandledContextsThatSatisfy(contexts -> assertThat(contexts)
                        .filteredOn(context -> context.getName().equals("lock.acquisition"))
                        .filteredOn(context -> context.getParentObservation() == parent)
                        .hasSize(acquisitions));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class Observed {

        @Bean
        TestObservationRegistry observations() {
            return TestObservationRegistry.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(GatedOrders.class)
    static class Gated {

        final CompletableFuture<Void> gate = new CompletableFuture<>();

        /** Asks for lock "a" on the thread that opens the gate, and not below the observation of the caller. */
        @Bean
        Locker gatedLocker(@Qualifier("deployLocker") Locker deploy) {
            return new DelegatingLocker(deploy) {

                @Override
                public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
                    return request.key().equals("a")
                            ? gate.thenCompose(open -> super.tryLockAsync(request))
                            : super.tryLockAsync(request);
                }
            };
        }
    }

    static class GatedOrders {

        @DistributedLock(locker = "gated", key = "#keys")
        public CompletableFuture<String> bothAsync(List<String> keys) {
            return CompletableFuture.completedFuture("done " + keys);
        }
    }

    static class Orders {

        @DistributedLock(locker = "deploy", key = "#keys")
        public Mono<String> both(List<String> keys) {
            return Mono.just("done " + keys);
        }

        @DistributedLock(locker = "deploy", key = "#keys", waitTime = "1m")
        public CompletableFuture<String> bothAsync(List<String> keys) {
            return CompletableFuture.completedFuture("done " + keys);
        }
    }
}
