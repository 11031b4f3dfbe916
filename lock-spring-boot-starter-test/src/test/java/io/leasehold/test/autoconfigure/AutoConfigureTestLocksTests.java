package io.leasehold.test.autoconfigure;

import static io.leasehold.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.test.LockAssert;
import io.leasehold.test.ReactiveLockAssert;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** An application whose configuration names a store that cannot be reached here. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "lock.backend=redis",
            "lock.instance-name=orders-7",
            "lock.lockers.billing.ttl=40s",
            "lock.lockers.deploy.backend=no-such-store",
            "lock.lockers.own.redis.host=no-such-host.invalid"
        })
@AutoConfigureTestLocks
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoConfigureTestLocksTests {

    @Autowired
    TestLocks locks;

    @Autowired
    Jobs jobs;

    @Autowired
    Locker billingLocker;

    @Autowired
    LockerRegistry lockers;

    @Test
    void everyLockerUsesTheStoreOfTheTest() {
        for (String name : lockers.names()) {
            LockHandle lock = lockers.get(name).lock("k");
            assertThat(locks.held()).contains(lock);
            assertThat(lockers.status(name).backend()).isEqualTo(TestLocks.BACKEND);
        }
        assertThat(lockers.names()).contains("billing", "default", "deploy", "own");
    }

    @Test
    void settingsOfLockersHaveTheirEffect() {
        assertThat(billingLocker.lock("k")).isHeldForAtLeast(Duration.ofSeconds(35));
    }

    @Test
    void aHolderHasTheConfiguredName() {
        billingLocker.lock("k");

        assertThat(billingLocker.describe("k").toCompletableFuture().join())
                .asString()
                .contains("orders-7");
    }

    @Test
    void aLostLockFailsTheAnnotatedMethod() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> jobs.run("7", () -> locks.lose("7")));
    }

    @Test
    void theBodyOfAnAnnotatedMethodIsUnderItsLock() {
        jobs.run("7", () -> assertThat(LockAssert.assertHeld("7")).isHeld());
        LockAssert.assertNotLocked();
    }

    @Test
    void aReactiveBodyIsUnderItsLock() {
        assertThat(jobs.reactive(ReactiveLockAssert.assertHeld()).block()).isReleased();
    }

    @Test
    void anAsynchronousBodyIsUnderItsLock() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        CompletableFuture<Void> result = jobs.asynchronous(() -> {
            LockAssert.assertHeld("async");
            return work;
        });
        LockHandle lock = locks.held("async");
        assertThat(lock).isHeld();
        work.complete(null);
        assertThat(result).isCompleted();
        assertThat(lock).isReleased();
    }

    @Test
    void aReactiveCallGivesUpWhenTheClockHasPassedItsWaitTime() {
        locks.holdElsewhere("reactive");
        CompletableFuture<String> result = jobs.reactive(Mono.just("done")).toFuture();
        assertThat(result).isNotDone();
        locks.advance(Duration.ofSeconds(10));
        assertThat(result).failsWithin(Duration.ofSeconds(30));
    }

    @Test
    void aKeyOfAnotherProcessIsWaitedForWithoutDelay() {
        locks.holdElsewhere("7");
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> jobs.run("7", () -> {}));
    }

    @Test
    void aDeniedLockFailsTheAnnotatedMethod() {
        locks.deny("7");
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> jobs.run("7", () -> {}));
    }

    @Test
    @Order(1)
    void aJobIsKeptForItsMinimumHoldTime() {
        AtomicInteger runs = new AtomicInteger();
        jobs.nightly(runs::incrementAndGet);
        jobs.nightly(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        locks.advance(Duration.ofMinutes(11));
        jobs.nightly(runs::incrementAndGet);
        assertThat(runs).hasValue(2);
        locks.stall();
    }

    @Test
    @Order(2)
    void nothingRemainsOfTheTestBefore() {
        assertThat(billingLocker).isFree("nightly");
        AtomicInteger runs = new AtomicInteger();
        jobs.nightly(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
    }

    /** Nested classes inherit the annotation. */
    @Nested
    class NestedTests {

        @Test
        void theStoreIsTheSame() {
            assertThat(locks.held()).isEmpty();
            assertThat(billingLocker).isFree("7");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Jobs jobs() {
            return new Jobs();
        }
    }

    static class Jobs {

        @DistributedLock(locker = "billing", key = "#key")
        public void run(String key, Runnable work) {
            work.run();
        }

        @DistributedLock(locker = "billing", key = "'reactive'")
        public <T> Mono<T> reactive(Mono<T> work) {
            return work;
        }

        @DistributedLock(locker = "billing", key = "'async'")
        public CompletableFuture<Void> asynchronous(Supplier<CompletableFuture<Void>> work) {
            return work.get();
        }

        @SingleInstance(locker = "billing", key = "'nightly'", minHoldTime = "10m")
        public void nightly(Runnable work) {
            work.run();
        }
    }
}
