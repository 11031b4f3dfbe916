package io.leasehold.autoconfigure.locker;

import io.leasehold.LockKeys;
import io.leasehold.Locker;
import io.leasehold.locker.DelegatingLocker;

/**
 * A locker that masks keys before any other part of the library sees them. Stores, handles, exceptions, events,
 * listeners, log lines and the endpoint therefore only have the hash, and need no rule of their own.
 */
public final class KeyMaskingLocker extends DelegatingLocker {

    private KeyMaskingLocker(Locker delegate) {
        super(delegate);
    }

    /** The locker with masked keys, or the locker itself if keys are not masked. */
    public static Locker of(Locker locker, boolean maskKeys) {
        return maskKeys ? new KeyMaskingLocker(locker) : locker;
    }

    /** Returns this locker: the mask of a masked key is the key itself. The locker inside has no customizers. */
    @Override
    public Locker withoutKeyCustomizers() {
        return this;
    }

    @Override
    protected String delegateKey(String key) {
        // the mask of a key that is not valid would be
        LockKeys.requireValid(key);
        return LockKeys.mask(key);
    }

    @Override
    public String visibleKey(String key) {
        return LockKeys.mask(key);
    }
}
