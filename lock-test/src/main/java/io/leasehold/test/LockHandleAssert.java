package io.leasehold.test;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about a {@link LockHandle}. They perform no I/O. */
public final class LockHandleAssert extends AbstractAssert<LockHandleAssert, LockHandle> {

    LockHandleAssert(@Nullable LockHandle actual) {
        super(actual, LockHandleAssert.class);
    }

    /** Checks that the lock is held at this moment. */
    public LockHandleAssert isHeld() {
        RuntimeException failure = failure();
        if (failure != null) {
            failWithMessage("Expected %s to be held, but %s", actual, failure.getMessage());
        }
        return this;
    }

    /** Checks that the lock is not held at this moment, for whatever reason. */
    public LockHandleAssert isNotHeld() {
        if (failure() == null) {
            failWithMessage("Expected %s not to be held, but it is, for another %s", actual, actual.remaining());
        }
        return this;
    }

    /** Checks that the holder released the lock. */
    public LockHandleAssert isReleased() {
        RuntimeException failure = failure();
        if (!(failure instanceof IllegalStateException)) {
            failWithMessage("Expected %s to be released, but %s", actual, state(failure));
        }
        return this;
    }

    /** Checks that the lock is lost. */
    public LockHandleAssert isLost() {
        RuntimeException failure = failure();
        if (!(failure instanceof LockLostException)) {
            failWithMessage("Expected %s to be lost, but %s", actual, state(failure));
        }
        return this;
    }

    /**
     * Checks that the lock is lost, and why.
     *
     * @param reason the expected reason
     */
    public LockHandleAssert isLost(LossReason reason) {
        isLost();
        if (failure() instanceof LockLostException loss && loss.reason() != reason) {
            failWithMessage("Expected %s to be lost for %s, but the reason was %s", actual, reason, loss.reason());
        }
        return this;
    }

    /**
     * Checks the key.
     *
     * @param key the expected key
     */
    public LockHandleAssert hasKey(String key) {
        isNotNull();
        if (!Objects.equals(actual.key(), key)) {
            failWithMessage("Expected %s to have key '%s'", actual, key);
        }
        return this;
    }

    /**
     * Checks that the lock was granted after another one of the same key.
     *
     * @param earlier the earlier lock
     */
    public LockHandleAssert isNewerThan(LockHandle earlier) {
        isNotNull();
        if (actual.fencingToken() <= earlier.fencingToken()) {
            failWithMessage("Expected %s to have a greater fencing token than %s", actual, earlier);
        }
        return this;
    }

    /**
     * Checks how much longer the lock is held without a renewal.
     *
     * @param least the least time left
     */
    public LockHandleAssert isHeldForAtLeast(Duration least) {
        isHeld();
        if (actual.remaining().compareTo(least) < 0) {
            failWithMessage(
                    "Expected %s to be held for at least %s, but %s are left", actual, least, actual.remaining());
        }
        return this;
    }

    private @Nullable RuntimeException failure() {
        isNotNull();
        try {
            actual.requireHeld();
            return null;
        } catch (RuntimeException ex) {
            return ex;
        }
    }

    private static String state(@Nullable RuntimeException failure) {
        return failure == null ? "it is held" : String.valueOf(failure.getMessage());
    }
}
