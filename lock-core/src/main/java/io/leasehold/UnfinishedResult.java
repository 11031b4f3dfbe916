package io.leasehold;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** Results of work that go on, or begin, after the work has returned and its lock has ended. */
final class UnfinishedResult {

    private static final Set<Class<?>> OF_JDK =
            Set.of(Future.class, CompletionStage.class, Flow.Publisher.class, BaseStream.class);

    /** By name: this module does not depend on them. */
    private static final Set<String> OF_OTHERS =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.Job", "kotlinx.coroutines.flow.Flow");

    private static final ClassValue<Boolean> LATER = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            return OF_JDK.contains(type)
                    || OF_OTHERS.contains(type.getName())
                    || type.getSuperclass() != null && get(type.getSuperclass())
                    || Arrays.stream(type.getInterfaces()).anyMatch(this::get);
        }
    };

    private UnfinishedResult() {}

    /**
     * Rejects a result that is not done. A future or stage that is complete is a value like any other. So is a stream
     * while an outer call or a transaction still holds the lock: only its reader continues the work.
     *
     * @param handle the lock after the call: held, if the call has joined it or a transaction releases it
     */
    static void refuse(@Nullable Object result, LockHandle handle, Locker locker, LockRequest request) {
        if (result != null
                && LATER.get(result.getClass())
                && !isDone(result)
                && !(result instanceof BaseStream && handle.isHeld())) {
            throw new IllegalStateException("the work under lock '" + locker.visibleKey(request.key()) + "' of locker '"
                    + locker.name() + "' has returned a " + result.getClass().getName()
                    + ", which goes on without the lock. Wait for it inside executeLocked, for example with join(), or"
                    + " use tryLockAsync and release the handle when it is complete. If it needs no lock, return"
                    + " something else");
        }
    }

    private static boolean isDone(Object result) {
        try {
            return result instanceof CompletionStage<?> stage
                    // a minimal stage does not answer itself
                    ? stage.toCompletableFuture().isDone()
                    : result instanceof Future<?> future && future.isDone();
        } catch (UnsupportedOperationException ex) {
            return false;
        }
    }
}
