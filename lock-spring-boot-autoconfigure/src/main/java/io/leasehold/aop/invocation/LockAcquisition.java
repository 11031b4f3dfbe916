package io.leasehold.aop.invocation;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.spec.LockSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires the locks of one call: all of them or none, within one wait time. A lock that the caller already holds is
 * joined.
 */
public final class LockAcquisition {

    private final Supplier<LockerRegistry> lockers;

    private final TransactionBinding transactions;

    private final LongSupplier nanoTime;

    /**
     * Creates the acquisition.
     *
     * @param transactions the locks that end with a transaction
     */
    public LockAcquisition(Supplier<LockerRegistry> lockers, TransactionBinding transactions, LongSupplier nanoTime) {
        this.lockers = lockers;
        this.transactions = transactions;
        this.nanoTime = nanoTime;
    }

    /**
     * The keys of a call as its locker changes them, in order. Called on the thread of the caller, also for asynchronous
     * calls.
     */
    public List<String> visible(LockSpec spec, List<String> keys) {
        Locker locker = registered(spec);
        if (keys.size() == 1) {
            return List.of(visible(locker, keys.get(0)));
        }
        return keys.stream()
                .map(key -> visible(locker, key))
                .distinct()
                .sorted()
                .toList();
    }

    private static String visible(Locker locker, String key) {
        @Nullable String visible = locker.visibleKey(key);
        if (visible == null) {
            throw mocked("Locker '" + locker.name() + "'", "visibleKey(\"" + key + "\")", "the locker");
        }
        return visible;
    }

    /** The identity of the locks of a call's locker. */
    public Object lockSpace(LockSpec spec) {
        return locker(spec).lockSpace();
    }

    /** Acquires them on the calling thread. */
    public AcquiredLocks acquire(LockSpec spec, List<String> keys) {
        Locker locker = locker(spec);
        WaitBudget wait = new WaitBudget(spec, keys, locker, nanoTime);
        LockHandle[] all = new LockHandle[keys.size()];
        List<LockHandle> own = new ArrayList<>(all.length);
        try {
            for (int i = 0; i < all.length; i++) {
                String key = locker.visibleKey(keys.get(i));
                Optional<LockHandle> joined = enclosing(locker, key, List.of(), LockHandle::requireConfirmed);
                all[i] = joined.isPresent() ? joined.get() : take(locker, key, wait);
                if (joined.isEmpty()) {
                    own.add(all[i]);
                }
            }
            List<LockHandle> locks = List.of(all);
            return new AcquiredLocks(locks, own, LockLosses.Tolerated.among(locks));
        } catch (RuntimeException | Error ex) {
            giveBack(own, ex);
            throw ex;
        }
    }

    /**
     * Starts to acquire them without occupying a thread.
     *
     * @param others locks that the caller holds, besides those of the thread
     * @param executor continues the work if the answer was not available immediately
     */
    public AsyncLockAcquisition prepare(
            LockSpec spec, List<String> keys, Collection<LockHandle> others, Executor executor) {
        Locker locker = locker(spec);
        List<LockHandle> joined = new ArrayList<>();
        for (String key : keys) {
            // not confirmed by the store, for which this thread would wait
            enclosing(locker, locker.visibleKey(key), others, LockHandle::requireHeld)
                    .ifPresent(joined::add);
        }
        WaitBudget wait = new WaitBudget(spec, keys, locker, nanoTime);
        return new AsyncLockAcquisition(locker, keys, joined, LockLosses.Tolerated.among(joined), wait, executor);
    }

    private Locker registered(LockSpec spec) {
        @Nullable Locker locker = lockers.get().get(spec.locker());
        if (locker == null) {
            throw mocked("The LockerRegistry", "get(\"" + spec.locker() + "\")", "the registry");
        }
        return locker;
    }

    /** The locker for keys that are {@linkplain #visible visible}. */
    private Locker locker(LockSpec spec) {
        @Nullable Locker plain = registered(spec).withoutTransactions();
        if (plain == null) {
            throw mocked("Locker '" + spec.locker() + "'", "withoutTransactions()", "the locker");
        }
        @Nullable Locker forFinalKeys = plain.withoutKeyCustomizers();
        if (forFinalKeys == null) {
            throw mocked("Locker '" + spec.locker() + "'", "withoutKeyCustomizers()", "the locker");
        }
        return forFinalKeys;
    }

    private static IllegalStateException mocked(String mock, String call, String mocked) {
        return new IllegalStateException(mock + " is a mock that has no answer to " + call
                + ". In a test, put @AutoConfigureTestLocks on the class instead of mocking " + mocked);
    }

    /**
     * The lock that the caller already holds. Looks in the thread's context, in its transaction and among the given locks.
     *
     * @param requirement fails for a lock that the caller cannot join
     * @throws io.leasehold.LockLostException if there is such a lock, but it is lost
     * @throws IllegalStateException if there is such a lock, but it was released
     */
    private Optional<LockHandle> enclosing(
            Locker locker, String key, Collection<LockHandle> others, Consumer<LockHandle> requirement) {
        Optional<LockHandle> found = LockContext.findOwn(locker, key);
        if (found.isEmpty()) {
            found = transactions.find(locker, key);
        }
        if (found.isEmpty() && !others.isEmpty()) {
            found = others.stream()
                    .filter(handle -> handle.lockSpace().equals(locker.lockSpace())
                            && handle.key().equals(key))
                    .findFirst();
        }
        if (found.isPresent() && !LockLosses.Tolerated.contains(found.get())) {
            requirement.accept(found.get());
        }
        return found;
    }

    private static LockHandle take(Locker locker, String key, WaitBudget wait) {
        Optional<LockHandle> taken = locker.tryLock(wait.request(key));
        if (taken.isPresent()) {
            return taken.get();
        }
        try {
            throw wait.notAcquired(key).toCompletableFuture().get();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(locker.name(), key);
        } catch (ExecutionException ex) {
            throw new CompletionException(ex.getCause());
        }
    }

    private static void giveBack(List<LockHandle> own, Throwable failure) {
        try {
            AcquiredLocks.releaseAll(AcquiredLocks.unused(own));
        } catch (RuntimeException | Error ex) {
            failure.addSuppressed(ex);
        }
    }

    /** The wait time of one call, which all of its locks share, counted from the start of the call. */
    static final class WaitBudget {

        private final LockSpec spec;

        private final List<String> keys;

        private final Locker locker;

        private final LongSupplier nanoTime;

        private final long start;

        WaitBudget(LockSpec spec, List<String> keys, Locker locker, LongSupplier nanoTime) {
            this.spec = spec;
            this.keys = keys;
            this.locker = locker;
            this.nanoTime = nanoTime;
            this.start = nanoTime.getAsLong();
        }

        LockRequest request(String key) {
            LockRequest request = spec.terms().withKey(key);
            if (keys.size() == 1) {
                return request;
            }
            Duration total = request.waitTime() != null ? request.waitTime() : locker.waitTime();
            Duration left = total.minus(waited());
            return request.withWaitTime(left.isNegative() ? Duration.ZERO : left);
        }

        /** The failure of the call. It names the holder of the lock only if the caller receives it. */
        CompletionStage<LockNotAcquiredException> notAcquired(String key) {
            return spec.onFailure() == OnFailure.SKIP
                    ? CompletableFuture.completedFuture(new LockNotAcquiredException(locker.name(), key, waited()))
                    : locker.notAcquired(key, waited());
        }

        private Duration waited() {
            return Duration.ofNanos(nanoTime.getAsLong() - start);
        }
    }
}
