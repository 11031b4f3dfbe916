package io.leasehold.test;

import io.leasehold.ForcedRelease;
import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows why each thread waits. Time alone ends a wait for a store that did not grant the lock, and a wait for a lock
 * that the waiting thread itself holds. A wait for a lock of another thread ends when that thread releases it.
 */
final class Waits {

    /** The last holder of each lock, unless it has released it. A lost lock is not released. */
    private final Map<Lock, Holder> holders = new ConcurrentHashMap<>();

    private final ThreadLocal<@Nullable Lock> wanted = new ThreadLocal<>();

    private final ThreadLocal<@Nullable Boolean> unanswered = new ThreadLocal<>();

    /** The lock that this thread has released last. The store is asked immediately afterwards. */
    private final ThreadLocal<@Nullable Lock> releasing = new ThreadLocal<>();

    /** The releases that the store has not answered, and that have not timed out yet. */
    private final Map<Lock, UnansweredRelease> releases = new ConcurrentHashMap<>();

    /**
     * Whether only time ends the wait of this thread.
     *
     * @param movesClock whether a thread waits for time to pass, and moves the clock meanwhile
     */
    boolean waitsForTime(Predicate<Thread> movesClock) {
        if (Boolean.TRUE.equals(unanswered.get())) {
            return true;
        }
        Lock lock = wanted.get();
        UnansweredRelease release = lock == null ? null : releases.get(lock);
        if (release != null && !release.answer().isDone()) {
            // a thread that waits for the answer itself moves the clock to the end of the release, and not further
            return !movesClock.test(release.thread());
        }
        Holder holder = lock == null ? null : holders.get(lock);
        // a handle that is not held any more is being released, perhaps by another thread, which the caller waits for
        return holder != null
                && holder.thread() == Thread.currentThread()
                && holder.handle().isHeld();
    }

    /** Whether this thread holds a lock as described, or whether such a lock is lost, so that no thread releases it. */
    boolean isOwnOrLost(Predicate<LockHandle> lock) {
        return holders.values().stream()
                .filter(holder -> lock.test(holder.handle()))
                .anyMatch(holder -> isLost(holder.handle())
                        || holder.thread() == Thread.currentThread()
                                && holder.handle().isHeld());
    }

    /** Forgets locks that no thread will release, because they are lost. */
    void forgetLost() {
        holders.values().removeIf(holder -> isLost(holder.handle()));
    }

    /** A released lock is not lost. The release in the store may still be in progress. */
    private static boolean isLost(LockHandle handle) {
        try {
            handle.requireHeld();
            return false;
        } catch (LockLostException ex) {
            return true;
        } catch (IllegalStateException | LockBackendException releasedOrUnknown) {
            return false;
        }
    }

    /** Records that the store will not end the wait of this thread. */
    void storeIsSilent() {
        unanswered.set(true);
    }

    /** Records that time alone ends the release that this thread has just asked the store for. */
    void releaseIsUnanswered(CompletableFuture<?> answer) {
        Lock lock = releasing.get();
        if (lock != null) {
            UnansweredRelease release = new UnansweredRelease(Thread.currentThread(), answer);
            releases.put(lock, release);
            answer.whenComplete((ended, failure) -> releases.remove(lock, release));
        }
    }

    /** Records that the store has answered this thread, or notifies it when the lock is released. */
    void storeAnswered() {
        unanswered.remove();
    }

    /** A listener that observes the threads of callers and passes all events on. */
    LockListener observe(LockListener delegate) {
        return new Observer(delegate);
    }

    private record Lock(String locker, String key) {}

    private record Holder(Thread thread, LockHandle handle) {}

    private record UnansweredRelease(Thread thread, CompletableFuture<?> answer) {}

    private final class Observer implements LockListener {

        private final LockListener delegate;

        private Observer(LockListener delegate) {
            this.delegate = delegate;
        }

        @Override
        public void connectEnded(String locker, boolean connected) {
            delegate.connectEnded(locker, connected);
        }

        @Override
        public void forceReleased(ForcedRelease release) {
            delegate.forceReleased(release);
        }

        @Override
        public void acquireStarted(LockAttempt attempt) {
            unanswered.remove();
            wanted.set(new Lock(attempt.locker(), attempt.key()));
            delegate.acquireStarted(attempt);
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            unanswered.remove();
            wanted.remove();
            LockHandle granted = attempt.granted();
            if (granted != null) {
                holders.put(new Lock(attempt.locker(), attempt.key()), new Holder(Thread.currentThread(), granted));
            }
            delegate.acquireEnded(attempt, outcome, waited);
        }

        @Override
        public void released(LockHandle handle, Duration held) {
            // before the next holder gets the lock, which the engine ensures by its order of calls
            Lock lock = new Lock(handle.locker(), handle.key());
            holders.remove(lock);
            releasing.set(lock);
            delegate.released(handle, held);
        }

        @Override
        public void renewed(LockHandle handle, RenewOutcome outcome) {
            delegate.renewed(handle, outcome);
        }

        @Override
        public void renewalRound(RenewalRound round) {
            delegate.renewalRound(round);
        }

        @Override
        public void atRisk(LockHandle handle) {
            delegate.atRisk(handle);
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            delegate.lost(handle, reason, held);
        }
    }
}
