package io.leasehold.context;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the fencing token in the logging context. */
public final class FencingTokenAccessor implements ThreadLocalAccessor<String> {

    /** The name in the logging context, also the key in a Reactor context. */
    public static final String KEY = "lock.fencingToken";

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable String getValue() {
        return MDC.get(KEY);
    }

    @Override
    public void setValue(String value) {
        MDC.put(KEY, value);
    }

    @Override
    public void setValue() {
        MDC.remove(KEY);
    }
}
