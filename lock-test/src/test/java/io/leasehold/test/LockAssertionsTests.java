package io.leasehold.test;

import static io.leasehold.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each assertion holds and fails. */
class LockAssertionsTests {

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final Locker locker = locks.locker("billing");

    @Test
    void aHeldLock() {
        LockHandle lock = locker.lock("7");
        assertThat(lock).isHeld().hasKey("7").isHeldForAtLeast(Duration.ofSeconds(20));
        fails(() -> assertThat(lock).isNotHeld(), "not to be held");
        fails(() -> assertThat(lock).isLost(), "it is held");
        fails(() -> assertThat(lock).isReleased(), "it is held");
        fails(() -> assertThat(lock).hasKey("8"), "to have key '8'");
        fails(() -> assertThat(lock).isHeldForAtLeast(Duration.ofMinutes(1)), "for at least PT1M");
        fails(() -> assertThat(lock).isNewerThan(lock), "greater fencing token");
    }

    @Test
    void aReleasedLock() {
        LockHandle lock = locker.lock("7");
        lock.release();
        assertThat(lock).isNotHeld().isReleased();
        assertThat(locker.lock("7")).isNewerThan(lock);
        fails(() -> assertThat(lock).isHeld(), "was released");
        fails(() -> assertThat(lock).isLost(), "was released");
    }

    @Test
    void aLostLock() {
        LockHandle lock = locker.lock("7");
        locks.lose("7");
        assertThat(lock).isNotHeld().isLost().isLost(LossReason.NOT_OWNER);
        fails(() -> assertThat(lock).isLost(LossReason.EXPIRED), "the reason was NOT_OWNER");
        fails(() -> assertThat(lock).isReleased(), "was lost");
        fails(() -> assertThat((LockHandle) null).isHeld(), "not to be null");
    }

    @Test
    void aLocker() {
        assertThat(locker).isFree("7");
        fails(() -> assertThat(locker).isLocked("7"), "to be locked");
        locker.lock("7");
        assertThat(locker).isLocked("7").isFree("8");
        fails(() -> assertThat(locker).isFree("7"), "to be free");
    }

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(message);
    }
}
