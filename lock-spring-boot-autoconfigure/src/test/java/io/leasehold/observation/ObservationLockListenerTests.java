package io.leasehold.observation;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.test.Disturbance;
import io.leasehold.test.TestLocks;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is observed of acquisitions and holds, and under which parent. */
class ObservationLockListenerTests {

    private static final LockRequest PATIENT = LockRequest.of("order-7").withWaitTime(Duration.ofMinutes(1));

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final TestObservationRegistry registry = TestObservationRegistry.create();

    private final LockEngine engine = locks.engine(listener(registry, false));

    private final Locker locker = engine.locker(LockerSettings.of("deploy"), "test", locks.backend());

    @Test
    void anAcquisitionAndItsHoldAreObservedBelowTheCaller() {
        Observation request = Observation.start("request", registry);
        Observation.Scope scope = request.openScope();
        locker.lock("order-7").close();
        scope.close();
        request.stop();

        assertThat(registry)
                .hasObservationWithNameEqualTo("lock.acquisition")
                .that()
                .hasBeenStarted()
                .hasBeenStopped()
                .hasContextualNameEqualTo("acquire deploy")
                .hasParentObservationEqualTo(request)
                .hasLowCardinalityKeyValue("locker", "deploy")
                .hasLowCardinalityKeyValue("backend", "test")
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .hasLowCardinalityKeyValue("handover", "false")
                .doesNotHaveHighCardinalityKeyValueWithKey("key");
        assertThat(registry)
                .hasObservationWithNameEqualTo("lock.holding")
                .that()
                .hasBeenStopped()
                .hasContextualNameEqualTo("hold deploy")
                .hasParentObservationContextMatching(parent -> parent.getName().equals("lock.acquisition"))
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasHighCardinalityKeyValueWithKey("fencing.token")
                .doesNotHaveHighCardinalityKeyValueWithKey("key");
    }

    @Test
    void theKeyIsAHighCardinalityValueIfItIsWanted() {
        TestObservationRegistry withKeys = TestObservationRegistry.create();
        locks.engine(listener(withKeys, true))
                .locker(LockerSettings.of("deploy"), "test", locks.backend())
                .lock("order-7")
                .close();
        assertThat(withKeys)
                .forAllObservationsWithNameEqualTo(
                        "lock.acquisition",
                        observation -> observation
                                .hasHighCardinalityKeyValue("key", "order-7")
                                .doesNotHaveLowCardinalityKeyValueWithKey("key"));
        assertThat(withKeys)
                .hasObservationWithNameEqualTo("lock.holding")
                .that()
                .hasHighCardinalityKeyValue("key", "order-7");
    }

    @Test
    void aTimeoutHasNoHold() {
        try (Disturbance other = locks.holdElsewhere("order-7")) {
            assertThat(locker.tryLock("order-7", Duration.ofSeconds(2))).isEmpty();
            assertThat(other).isNotNull();
        }
        assertThat(registry)
                .hasNumberOfObservationsEqualTo(1)
                .hasSingleObservationThat()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "timeout");
    }

    @Test
    void aFailureOfTheStoreIsTheErrorOfTheAcquisition() {
        try (Disturbance down = locks.stall()) {
            assertThat(down).isNotNull();
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> locker.tryLock("order-7"))
                    .isInstanceOf(io.leasehold.LockBackendException.class);
        }
        assertThat(registry)
                .hasSingleObservationThat()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "error")
                .hasError();
    }

    /** Handlers write the message, the causes and the stack trace of an error to spans. */
    @Test
    void theErrorHasTheKeyOnlyWithTheProperty() {
        assertThat(errorOf(locker))
                .contains("LockBackendException", "BackendFailure")
                .doesNotContain("order-7");
        Locker visible =
                locks.engine(listener(registry, true)).locker(LockerSettings.of("deploy"), "test", locks.backend());
        assertThat(errorOf(visible)).contains("order-7");
    }

    private String errorOf(Locker failing) {
        registry.clear();
        try (Disturbance down = locks.stall()) {
            assertThat(down).isNotNull();
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> failing.tryLock("order-7"))
                    .isInstanceOf(io.leasehold.LockBackendException.class);
        }
        List<Throwable> errors = new ArrayList<>();
        assertThat(registry).hasSingleObservationThat().satisfies(context -> errors.add(context.getError()));
        StringWriter written = new StringWriter();
        errors.get(0).printStackTrace(new PrintWriter(written));
        return written.toString();
    }

    @Test
    void aLossIsAnEventOfTheHold() {
        LockHandle lock = locker.lock("order-7");
        locks.lose("order-7");
        assertThat(lock.isHeld()).isFalse();
        assertThat(registry)
                .hasObservationWithNameEqualTo("lock.holding")
                .that()
                .hasBeenStopped()
                .hasEvent("lost")
                .hasLowCardinalityKeyValue("outcome", "lost");
        lock.close();
        assertThat(registry).hasNumberOfObservationsWithNameEqualTo("lock.holding", 1);
    }

    @Test
    void aHandOverIsVisible() {
        LockHandle first = locker.lock("order-7");
        CompletableFuture<Optional<LockHandle>> next =
                locker.tryLockAsync(PATIENT).toCompletableFuture();
        first.close();
        next.join().orElseThrow().close();
        assertThat(registry)
                .hasAnObservationWithAKeyValue("handover", "false")
                .hasAnObservationWithAKeyValue("handover", "true")
                .hasNumberOfObservationsWithNameEqualTo("lock.holding", 2);
    }

    @Test
    void anAsynchronousAcquisitionKeepsItsParent() {
        LockHandle first = locker.lock("order-7");
        Observation request = Observation.start("request", registry);
        CompletableFuture<Optional<LockHandle>> next;
        Observation.Scope scope = request.openScope();
        next = locker.tryLockAsync(PATIENT).toCompletableFuture();
        scope.close();
        Thread releaser = new Thread(first::close);
        releaser.start();
        next.join().orElseThrow().close();
        assertThat(registry)
                .hasHandledContextsThatSatisfy(contexts -> assertThat(contexts)
                        .filteredOn(context -> context.getName().equals("lock.acquisition"))
                        .filteredOn(context -> context.getParentObservation() == request)
                        .hasSize(1));
    }

    @Test
    void aRegistryWithoutHandlersCostsNoObservation() {
        ObservationRegistry silent = ObservationRegistry.create();
        AtomicInteger asked = new AtomicInteger();
        ObservationLockListener listener = new ObservationLockListener(silent, new Lockers(asked), false);
        Locker other = locks.engine(listener).locker(LockerSettings.of("other"), "test", locks.backend());
        other.lock("order-7").close();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aRegistryThatDropsEverythingIsNotFilled() {
        ObservationRegistry dropping = ObservationRegistry.create();
        AtomicInteger seen = new AtomicInteger();
        ObservationHandler<Observation.Context> handler = context -> {
            seen.incrementAndGet();
            return true;
        };
        dropping.observationConfig().observationHandler(handler).observationPredicate((name, context) -> false);
        Locker other =
                locks.engine(listener(dropping, false)).locker(LockerSettings.of("other"), "test", locks.backend());
        other.lock("order-7").close();
        assertThat(seen).hasValue(0);
    }

    /** Otherwise it would have another parent, and a context to ask the predicates about. */
    @Test
    void aHoldIsDroppedWithItsAcquisition() {
        ObservationRegistry holdsOnly = ObservationRegistry.create();
        List<String> seen = new ArrayList<>();
        ObservationHandler<Observation.Context> handler = context -> true;
        holdsOnly.observationConfig().observationHandler(handler).observationPredicate((name, context) -> {
            seen.add(name);
            return name.equals("lock.holding");
        });
        Locker other =
                locks.engine(listener(holdsOnly, false)).locker(LockerSettings.of("other"), "test", locks.backend());
        other.lock("order-7").close();
        assertThat(seen).containsExactly("lock.acquisition");
    }

    /** A locker that is created again may have another store. */
    @Test
    void theStoreOfAClosedLockerIsForgotten() {
        AtomicInteger asked = new AtomicInteger();
        ObservationLockListener listener = new ObservationLockListener(registry, new Lockers(asked), false);
        Locker observed = locks.engine(listener).locker(LockerSettings.of("deploy"), "test", locks.backend());
        observed.lock("order-7").close();
        observed.lock("order-7").close();
        assertThat(asked).hasValue(1);
        listener.forget("deploy");
        observed.lock("order-7").close();
        assertThat(asked).hasValue(2);
    }

    private static ObservationLockListener listener(ObservationRegistry registry, boolean includeKey) {
        return new ObservationLockListener(registry, new Lockers(new AtomicInteger()), includeKey);
    }

    private record Lockers(AtomicInteger asked) implements LockerRegistry {

        @Override
        public Locker get(String name) {
            throw new AssertionError("observations need no locker");
        }

        @Override
        public Set<String> names() {
            return Set.of("deploy");
        }

        @Override
        public LockerStatus status(String name) {
            asked.incrementAndGet();
            return LockerStatus.idle(name, "test");
        }
    }
}
