package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one call.
 *
 * @param all every lock that the call works under, in the order of the keys
 * @param own those that it took itself; the others belong to an outer call or a transaction
 */
record HeldLocks(List<LockHandle> all, List<LockHandle> own) {

    HeldLocks {
        all = List.copyOf(all);
        own = List.copyOf(own);
    }

    /** Runs a body with all the locks in its context. */
    <T extends @Nullable Object> T within(Callable<T> body) throws Exception {
        return within(0, body);
    }

    private <T extends @Nullable Object> T within(int index, Callable<T> body) throws Exception {
        if (index == all.size()) {
            return body.call();
        }
        return LockContext.call(all.get(index), () -> within(index + 1, body));
    }
}
