package io.leasehold.locker;

import io.leasehold.LockHandle;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.function.Consumer;

/** A handle that passes every call but the release to another one. For handles of a {@link DelegatingLocker}. */
public interface DelegatingLockHandle extends LockHandle {

    /**
     * Returns the handle that receives the calls.
     *
     * @return the handle
     */
    LockHandle delegate();

    @Override
    default String locker() {
        return delegate().locker();
    }

    @Override
    default Object lockSpace() {
        return delegate().lockSpace();
    }

    @Override
    default String key() {
        return delegate().key();
    }

    @Override
    default long fencingToken() {
        return delegate().fencingToken();
    }

    @Override
    default boolean isHeld() {
        return delegate().isHeld();
    }

    @Override
    default Duration remaining() {
        return delegate().remaining();
    }

    @Override
    default void requireHeld() {
        delegate().requireHeld();
    }

    @Override
    default void requireConfirmed() {
        delegate().requireConfirmed();
    }

    @Override
    default void renew() {
        delegate().renew();
    }

    @Override
    default void renew(Duration ttl) {
        delegate().renew(ttl);
    }

    @Override
    default void onLost(Consumer<? super LossReason> callback) {
        delegate().onLost(callback);
    }

    @Override
    default void waiveMinHoldTime() {
        delegate().waiveMinHoldTime();
    }
}
