package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Keeps the fencing token in the logging context while a body runs; several tokens are separated by commas. */
final class FencingTokenMdc {

    static final String NAME = "lock.fencingToken";

    private FencingTokenMdc() {}

    static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
        String outer = MDC.get(NAME);
        MDC.put(NAME, text(handles));
        try {
            return body.call();
        } finally {
            if (outer == null) {
                MDC.remove(NAME);
            } else {
                MDC.put(NAME, outer);
            }
        }
    }

    private static String text(List<LockHandle> handles) {
        return handles.size() == 1
                ? Long.toString(handles.get(0).fencingToken())
                : handles.stream()
                        .map(handle -> Long.toString(handle.fencingToken()))
                        .collect(Collectors.joining(","));
    }
}
