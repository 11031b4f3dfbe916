package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LockerStatus;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the log says of long holds and waits, and how old the status says they are. */
class SlowLockLogTests extends EngineInVirtualTime {

    private static final LockRequest PATIENT = LockRequest.of("service").withWaitTime(Duration.ofMinutes(10));

    private final RecordedLog log = new RecordedLog(SlowLockLog.class);

    private final CountDownLatch done = new CountDownLatch(1);

    SlowLockLogTests() {
        super(VirtualTime.settings("deploy")
                .withTtl(TTL)
                .withThresholds(Duration.ofSeconds(12), Duration.ofSeconds(5)));
    }

    @AfterEach
    void end() {
        done.countDown();
        log.close();
    }

    @Test
    void aLongHoldIsLoggedOnceWithTheStackOfItsThread() {
        LockHandle lock = locker.lock("service");
        time.pass(Duration.ofSeconds(11));
        assertThat(log.messages()).isEmpty();

        time.pass(Duration.ofSeconds(3));
        time.pass(Duration.ofMinutes(5));

        assertThat(log.events()).hasSize(1);
        assertThat(log.events()).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN);
        assertThat(log.messages().get(0))
                .contains("Lock 'service' of locker 'deploy' has been held for 12")
                .contains("longer than 'long-hold-threshold' PT12S")
                .contains("(fencing token " + lock.fencingToken() + ")")
                .contains("thread '" + Thread.currentThread().getName() + "'")
                .contains("\n\tat " + SlowLockLogTests.class.getName());
    }

    @Test
    void theNameOfAThreadIsOnOneLine() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName("forged\nLock");
        try {
            locker.lock("service");
            time.pass(Duration.ofSeconds(14));
        } finally {
            thread.setName(name);
        }
        assertThat(log.messages()).singleElement().asString().contains("thread 'forged\\u000aLock'");
    }

    @Test
    void aShortHoldIsNotLogged() {
        locker.lock("service").close();
        time.pass(Duration.ofMinutes(1));
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void aHoldAfterAHandOverIsAHoldOfItsOwn() {
        LockHandle first = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> next =
                locker.tryLockAsync(PATIENT).toCompletableFuture();
        first.close();
        LockHandle second = next.join().orElseThrow();
        assertThat(backend.acquired).hasSize(1);

        time.pass(Duration.ofSeconds(14));

        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("(fencing token " + second.fencingToken() + ")", "a caller that acquired it asynchronously");
    }

    @Test
    void aLongWaitIsLoggedOnceWithThePlaceAndTheHolder() {
        holdOnAnotherThread();
        locker.tryLockAsync(PATIENT);
        CompletableFuture<Optional<LockHandle>> second =
                locker.tryLockAsync(PATIENT).toCompletableFuture();
        time.pass(Duration.ofSeconds(4));
        assertThat(log.messages()).isEmpty();

        time.pass(Duration.ofSeconds(4));

        assertThat(log.messages()).hasSize(2);
        assertThat(log.messages().get(1))
                .contains("An asynchronous caller has waited 5")
                .contains("for lock 'service' of locker 'deploy', longer than 'long-wait-threshold' PT5S, at place 2")
                .contains("It is held by thread 'holder'")
                .contains("java.util.concurrent.CountDownLatch.await");
        assertThat(second).isNotDone();
        time.pass(Duration.ofMinutes(1));
        assertThat(log.messages().stream().filter(message -> message.contains("has waited")))
                .hasSize(2);
    }

    @Test
    void aHoldIsCheckedWhenItsThresholdHasPassedHoweverLateItsRenewalIsDue() {
        locker.lock(LockRequest.of("service").withTtl(Duration.ofMinutes(1)));
        assertThat(time.nextAt() - time.nanos())
                .isEqualTo(Duration.ofSeconds(12).toNanos());
        time.pass(Duration.ofMillis(11_999));
        assertThat(log.messages()).isEmpty();
        time.pass(Duration.ofMillis(1));
        assertThat(log.messages()).singleElement().asString().contains("has been held for 12000 ms");
    }

    @Test
    void aWaitIsCheckedWhenItsThresholdHasPassed() {
        locker.lock("service");
        locker.tryLockAsync(PATIENT);
        assertThat(time.nextAt() - time.nanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
        time.pass(Duration.ofMillis(4_999));
        assertThat(log.messages()).isEmpty();
        time.pass(Duration.ofMillis(1));
        assertThat(log.messages()).singleElement().asString().contains("has waited 5000 ms");
    }

    /** The renewal of the lock, 9,698 ms after its grant, comes just before the end of the threshold. */
    @Test
    void aCheckAfterAnotherOneIsATenthOfTheThresholdLater() {
        locker.lock("service");
        time.pass(Duration.ofMillis(9_698 - 4_900));
        locker.tryLockAsync(PATIENT);
        time.pass(Duration.ofMillis(5_399));
        assertThat(log.messages()).isEmpty();
        time.pass(Duration.ofMillis(1));
        assertThat(log.messages()).singleElement().asString().contains("has waited 5400 ms");
    }

    @Test
    void aThreadThatEndedWithoutARelease() throws InterruptedException {
        Thread forgetful = new Thread(() -> locker.lock("service"), "forgetful");
        forgetful.start();
        forgetful.join();
        time.pass(Duration.ofSeconds(13));
        assertThat(log.messages())
                .singleElement()
                .asString()
                .endsWith("It is held by thread 'forgetful', which has ended");
    }

    /** Listeners run on the same executor. The thread may do other work by then. */
    @Test
    void theStackOfAHoldThatHasEndedIsNotLogged() {
        Queue<Runnable> events = new ArrayDeque<>();
        LockEngine other =
                time.engine(listener, time, time, new EngineExecutors(Runnable::run, Runnable::run, events::add));
        LockHandle lock = other.locker(
                        VirtualTime.settings("other").withThresholds(Duration.ofSeconds(12), null), "scripted", backend)
                .lock("service");
        time.pass(Duration.ofSeconds(12));
        lock.close();
        events.forEach(Runnable::run);
        assertThat(log.messages())
                .singleElement()
                .asString()
                .endsWith(
                        "It is held by thread '" + Thread.currentThread().getName() + "', whose hold has ended since");
        time.close(other);
    }

    @Test
    void nothingIsLoggedOrScheduledWithoutThresholds() {
        LeaseLocker other =
                engine.locker(VirtualTime.settings("other").withThresholds(Duration.ZERO, null), "scripted", backend);
        other.lock("service");
        long scheduled = time.scheduled();
        other.tryLockAsync(PATIENT);
        time.pass(Duration.ofMinutes(5));
        assertThat(scheduled).isOne();
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void theStatusTellsTheAgeOfHoldsAndThePlacesOfWaiters() {
        LockHandle lock = locker.lock("service");
        time.pass(Duration.ofSeconds(15));
        locker.tryLockAsync(PATIENT);
        time.pass(Duration.ofSeconds(6));
        locker.tryLockAsync(PATIENT);

        LockerStatus status = locker.status();

        assertThat(status.holds()).singleElement().satisfies(hold -> {
            assertThat(hold.handle()).isSameAs(lock);
            assertThat(hold.age()).isEqualTo(Duration.ofSeconds(21));
            assertThat(hold.renewals()).isEqualTo(2);
            assertThat(hold.thread()).isSameAs(Thread.currentThread());
        });
        assertThat(status.waiters()).extracting(LockerStatus.Waiter::place).containsExactly(1, 2);
        assertThat(status.waiters())
                .extracting(LockerStatus.Waiter::waited)
                .containsExactly(Duration.ofSeconds(6), Duration.ZERO);
        assertThat(status.oldestHold()).contains(Duration.ofSeconds(21));
        assertThat(status.longestWait()).contains(Duration.ofSeconds(6));
        assertThat(status.renewalLag()).isNotNull().isLessThan(Duration.ofSeconds(1));
    }

    private void holdOnAnotherThread() {
        Thread holder = new Thread(
                () -> {
                    try (LockHandle lock = locker.lock("service")) {
                        lock.requireHeld();
                        done.await();
                    } catch (InterruptedException ex) {
                        Thread.currentThread().interrupt();
                    }
                },
                "holder");
        holder.setDaemon(true);
        holder.start();
        await().until(() -> holder.getState() == Thread.State.WAITING);
    }
}
