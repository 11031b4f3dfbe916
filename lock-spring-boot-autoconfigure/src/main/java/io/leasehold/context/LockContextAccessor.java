package io.leasehold.context;

import io.leasehold.LockContext;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/** Carries {@link LockContext}. Locks of another thread are visible, and are not joined. */
public final class LockContextAccessor implements ThreadLocalAccessor<LockContext.Snapshot> {

    /** The key, also that of the value in a Reactor context. */
    public static final String KEY = LockContext.class.getName();

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public LockContext.@Nullable Snapshot getValue() {
        return LockContext.capture();
    }

    @Override
    public void setValue(LockContext.Snapshot value) {
        LockContext.restore(value);
    }

    @Override
    public void setValue() {
        LockContext.restore(null);
    }
}
