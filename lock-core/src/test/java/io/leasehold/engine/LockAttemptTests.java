package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an attempt to acquire a lock tells its listener. */
class LockAttemptTests {

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    private final List<LockAttempt> started = new ArrayList<>();

    private final List<LockAttempt> ended = new ArrayList<>();

    private final LockEngine engine = time.engine(new LockListener() {

        @Override
        public void acquireStarted(LockAttempt attempt) {
            assertThat(attempt.granted()).isNull();
            assertThat(attempt.failure()).isNull();
            assertThat(attempt.isHandedOver()).isFalse();
            started.add(attempt);
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            ended.add(attempt);
        }
    });

    private final LeaseLocker locker = engine.locker(VirtualTime.settings("deploy"), "scripted", backend);

    @AfterEach
    void close() {
        time.close(engine);
    }

    @Test
    void aGrantHasItsHandle() {
        LockHandle lock = locker.lock("service");
        assertThat(ended).isEqualTo(started).singleElement().satisfies(attempt -> {
            assertThat(attempt.locker()).isEqualTo("deploy");
            assertThat(attempt.key()).isEqualTo("service");
            assertThat(attempt.granted()).isSameAs(lock);
            assertThat(attempt.failure()).isNull();
            assertThat(attempt.isHandedOver()).isFalse();
        });
    }

    @Test
    void aHandOverIsOne() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> next = locker.tryLockAsync(
                        LockRequest.of("service").withWaitTime(Duration.ofSeconds(5)))
                .toCompletableFuture();
        lock.close();
        LockHandle handed = next.join().orElseThrow();
        assertThat(ended).hasSize(2);
        assertThat(ended.get(1).isHandedOver()).isTrue();
        assertThat(ended.get(1).granted()).isSameAs(handed);
    }

    @Test
    void aFailureIsThatOfTheCaller() {
        backend.onAcquire = command ->
                CompletableFuture.failedFuture(new BackendFailure(Effect.REFUSED, "the password is wrong", null));
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> locker.lock("service"))
                .satisfies(failure -> assertThat(ended).singleElement().satisfies(attempt -> {
                    assertThat(attempt.failure()).isSameAs(failure);
                    assertThat(attempt.granted()).isNull();
                }));
    }
}
