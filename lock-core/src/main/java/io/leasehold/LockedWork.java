package io.leasehold;

import io.leasehold.support.UnfinishedResult;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Runs the work of {@link Locker#executeLocked} under a lock, or joins the lock under which the thread works. */
final class LockedWork {

    private LockedWork() {}

    static <T> T execute(Locker locker, LockRequest request, Callable<T> work) throws Exception {
        Optional<LockHandle> joined = LockContext.findOwn(locker, locker.visibleKey(request.key()));
        if (joined.isPresent()) {
            joined.get().requireConfirmed();
            T result = LockContext.call(joined.get(), work);
            joined.get().requireConfirmed();
            refuseUnfinished(result, joined.get(), locker, request);
            return result;
        }
        LockHandle handle = locker.lock(request);
        T result;
        try (handle) {
            // it may be lost since its grant: the caller waited for its thread, or the application shuts down
            requireConfirmed(handle);
            result = LockContext.call(handle, work);
            handle.requireConfirmed();
        }
        // after the release, which a transaction postpones
        refuseUnfinished(result, handle, locker, request);
        return result;
    }

    static void execute(Locker locker, LockRequest request, Runnable work) {
        try {
            execute(locker, request, Executors.callable(work));
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            // code of other languages throws checked exceptions from anywhere
            throw new UndeclaredThrowableException(ex);
        }
    }

    private static void requireConfirmed(LockHandle unused) {
        try {
            unused.requireConfirmed();
        } catch (RuntimeException ex) {
            unused.waiveMinHoldTime();
            throw ex;
        }
    }

    private static void refuseUnfinished(
            @Nullable Object result, LockHandle handle, Locker locker, LockRequest request) {
        UnfinishedResult.refuse(
                result,
                handle::isHeld,
                () -> "lock '" + LockState.printable(locker.visibleKey(request.key())) + "' of locker '" + locker.name()
                        + "'");
    }
}
