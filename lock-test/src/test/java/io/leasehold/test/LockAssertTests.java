package io.leasehold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Bodies with and without a lock. */
class LockAssertTests {

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    @Test
    void aBodyRunsUnderItsLock() throws Exception {
        LockHandle seen = locks.locker("billing").executeLocked("7", () -> LockAssert.assertHeld());
        assertThat(seen.key()).isEqualTo("7");
        locks.locker("billing").executeLocked("7", () -> LockAssert.assertHeld("7"));
    }

    @Test
    void codeWithoutALockIsNoticed() {
        LockAssert.assertNotLocked();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(LockAssert::assertHeld)
                .withMessageContaining(Thread.currentThread().getName())
                .withMessageContaining("proxy");
    }

    @Test
    void aLockOfAnotherKeyIsNoticed() throws Exception {
        locks.locker("billing").executeLocked("7", () -> {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> LockAssert.assertHeld("8"))
                    .withMessageContaining("'8'")
                    .withMessageContaining("'7'");
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(LockAssert::assertNotLocked)
                    .withMessageContaining("'7'");
            return null;
        });
    }

    @Test
    void aLostLockIsNoticed() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.locker("billing").executeLocked("7", () -> {
                    locks.lose("7");
                    return LockAssert.assertHeld();
                }))
                .withMessageContaining("was lost");
    }

    @Test
    void aReactorContextHasItsLock() {
        LockHandle lock = locks.locker("billing").lock("7");
        Mono<LockHandle> check = ReactiveLockAssert.assertHeld();
        assertThat(check.contextWrite(Context.of(LockHandle.class, lock)).block())
                .isSameAs(lock);
        assertThat(check.toFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(AssertionError.class)
                .withMessageContaining("Reactor context has none");
        lock.release();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ReactiveLockAssert.assertHeld(Context.of(LockHandle.class, lock)))
                .withMessageContaining("was released");
    }
}
