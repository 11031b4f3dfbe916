package io.leasehold.aop.invocation;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockState;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Determines why a lock is not held during work that relies on it: it was lost, released too early, or the store has to
 * confirm it first, after a suspension of the machine.
 */
public final class LockLosses {

    private LockLosses() {}

    /** Why a lock is not held, or empty if it is. Never fails, because the release follows. */
    private static Optional<RuntimeException> of(LockHandle handle, Consumer<LockHandle> check) {
        try {
            if (!handle.isHeld()) {
                check.accept(handle);
            }
            return Optional.empty();
        } catch (IllegalStateException released) {
            return Optional.of(new IllegalStateException(
                    "lock '" + LockState.printable(handle.key()) + "' of locker '" + handle.locker()
                            + "' was released before the work under it had ended, so the rest of the work ran without it;"
                            + " leave the release to the call that took the lock",
                    released));
        } catch (RuntimeException ex) {
            return Optional.of(ex);
        } catch (Error ex) {
            // as if no thread could be created for the question
            return Optional.of(new LockBackendException(
                    "whether lock '" + handle.key() + "' of locker '" + handle.locker() + "' is held is unknown: " + ex,
                    handle.locker(),
                    handle.key(),
                    ex));
        }
    }

    /** Why a call must not go on: the first of its locks that is not held, apart from those whose loss it tolerates. */
    static Optional<RuntimeException> first(AcquiredLocks locks) {
        return first(locks.required(), LockHandle::requireHeld);
    }

    /** As {@link #first}, for a thread that may block until the store has confirmed a lock. */
    static Optional<RuntimeException> firstAfterConfirmation(AcquiredLocks locks) {
        return first(locks.required(), LockHandle::requireConfirmed);
    }

    private static Optional<RuntimeException> first(Collection<LockHandle> handles, Consumer<LockHandle> check) {
        return handles.stream()
                .map(handle -> of(handle, check))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The locks of this thread whose loss must prevent a commit. */
    public static List<LockHandle> ownNotTolerated() {
        return LockContext.allOwn().stream()
                .filter(handle -> !Tolerated.contains(handle))
                .toList();
    }

    public static void requireNone(Collection<LockHandle> handles) {
        first(handles, LockHandle::requireHeld).ifPresent(loss -> {
            throw loss;
        });
    }

    /**
     * As {@link #requireNone}, for a thread that may block until the store has confirmed a lock. Locks whose loss the
     * thread tolerates are not checked.
     */
    public static void requireConfirmed(Collection<LockHandle> handles) {
        List<LockHandle> required =
                handles.stream().filter(handle -> !Tolerated.contains(handle)).toList();
        first(required, LockHandle::requireConfirmed).ifPresent(loss -> {
            throw loss;
        });
    }

    /** The locks of a call whose loss its body tolerates. */
    public static List<LockHandle> toleratedInBody(LockSpec spec, AcquiredLocks locks) {
        if (spec.onLost() != OnLost.EVENT) {
            return locks.tolerated();
        }
        List<LockHandle> tolerated = new ArrayList<>(locks.own());
        tolerated.addAll(locks.tolerated());
        return tolerated;
    }

    /** Combines the failure of a body, if any, and the loss of its lock, if any, into the failure of the call. */
    public static @Nullable Throwable outcome(@Nullable Throwable ofBody, Optional<RuntimeException> loss) {
        if (ofBody == null) {
            return loss.orElse(null);
        }
        loss.filter(one -> one != ofBody && !isSameLoss(ofBody, one)).ifPresent(ofBody::addSuppressed);
        return ofBody;
    }

    private static boolean isSameLoss(Throwable failure, RuntimeException loss) {
        return failure instanceof LockLostException known
                && loss instanceof LockLostException lost
                && known.locker().equals(lost.locker())
                && known.key().equals(lost.key());
    }

    /**
     * The failure of asynchronous work that has ended, or {@code null} if it succeeded.
     *
     * <p>Work that joined a lock must end before the call that acquired the lock. Work that was cancelled or interrupted
     * because of the loss fails with the loss.
     */
    public static @Nullable Throwable ofAsyncWork(LockSpec spec, AcquiredLocks locks, @Nullable Throwable ofBody) {
        if (spec.onLost() == OnLost.EVENT) {
            return ofBody;
        }
        Optional<RuntimeException> loss = first(locks);
        if (loss.isPresent() && isEnded(ofBody) && spec.onLost() == OnLost.INTERRUPT) {
            return loss.get();
        }
        return outcome(ofBody, loss.map(one -> explained(one, spec, locks)));
    }

    /** Whether work was cancelled or interrupted, as a loss does. */
    private static boolean isEnded(@Nullable Throwable ofBody) {
        return ofBody instanceof CancellationException || ofBody instanceof InterruptedException;
    }

    private static RuntimeException explained(RuntimeException loss, LockSpec spec, AcquiredLocks locks) {
        if (loss instanceof LockException) {
            return loss;
        }
        for (LockHandle handle : locks.joined()) {
            if (!handle.isHeld()) {
                return new IllegalStateException("the asynchronous work of "
                        + MethodDescriptions.describe(spec.method())
                        + " had joined lock '" + LockState.printable(handle.key()) + "' of locker '" + handle.locker()
                        + "' and went on after the call that took the lock had released it;"
                        + " wait for the work there, or call the method outside of the lock");
            }
        }
        return loss;
    }

    /**
     * The locks of the current thread whose loss is only reported. It neither prevents a commit nor fails a call that
     * joins the lock. A call reads them when it joins, because it may end on another thread.
     */
    public static final class Tolerated {

        private static final ThreadLocal<@Nullable Frame> FRAMES = new ThreadLocal<>();

        private Tolerated() {}

        /** Tolerates the loss of some locks during a body, besides those whose loss the thread tolerates already. */
        public static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
            if (handles.isEmpty()) {
                return body.call();
            }
            Runnable leave = enter(new Frame(handles, FRAMES.get()));
            try {
                return body.call();
            } finally {
                leave.run();
            }
        }

        /** Tolerates the loss of only these locks until the result is run, on the same thread. */
        public static Runnable enter(List<LockHandle> handles) {
            return enter(handles.isEmpty() ? null : new Frame(handles, null));
        }

        private static Runnable enter(@Nullable Frame frame) {
            Frame former = FRAMES.get();
            set(frame);
            return () -> set(former);
        }

        private static void set(@Nullable Frame frame) {
            if (frame == null) {
                FRAMES.remove();
            } else {
                FRAMES.set(frame);
            }
        }

        /** Those of some locks whose loss the thread tolerates. */
        static List<LockHandle> among(Collection<LockHandle> handles) {
            return FRAMES.get() == null
                    ? List.of()
                    : handles.stream().filter(Tolerated::contains).toList();
        }

        static boolean contains(LockHandle handle) {
            for (Frame frame = FRAMES.get(); frame != null; frame = frame.outer()) {
                if (frame.handles().contains(handle)) {
                    return true;
                }
            }
            return false;
        }

        private record Frame(
                List<LockHandle> handles, @Nullable Frame outer) {}
    }
}
