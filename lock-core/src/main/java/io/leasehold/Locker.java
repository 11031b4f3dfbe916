package io.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * A named entry point to the locks of one namespace.
 *
 * <p>At most one {@link LockHandle} at a time is held for a key, over all processes that use the same namespace in the
 * same store. A lock is a lease: it ends by release, or when the store has not heard of its holder for the ttl. So a
 * process that stops for longer than the ttl loses its lock while it believes to work under it; see
 * {@link LockHandle#isHeld()} for the signal and {@link LockHandle#fencingToken()} for the protection.
 *
 * <p>Lockers are safe for use by many threads. Not getting a lock is an answer; a store that does not answer is a
 * {@link LockBackendException}. Blocking methods end at once when their thread is interrupted, with
 * {@link LockInterruptedException}, the interrupt flag set and nothing left behind in the store.
 *
 * <p>Lockers that the auto-configuration creates take part in Spring's transactions. A lock that a thread takes inside a
 * transaction, by {@link #tryLock(LockRequest)} or by a method that is based on it, ends when that transaction has
 * committed or rolled back:
 *
 * <ul>
 *   <li>{@link LockHandle#release()} and {@link LockHandle#close()} leave the release to the transaction. Until then the
 *       handle {@linkplain LockHandle#isHeld() is held}.
 *   <li>A further call for the same key on that thread joins the lock, also in a transaction that suspends the first one.
 *   <li>If the lock is lost, {@link LockLostException} stops the commit, unless the transaction is read-only.
 * </ul>
 *
 * <p>{@link #tryLockAsync(LockRequest)} takes no part, because its result belongs to no thread. Locks for which the caller
 * decides when they end come from {@link #withoutTransactions()}.
 */
public interface Locker {

    /**
     * The name under which the locker was configured.
     *
     * @return the name, never blank
     */
    String name();

    /**
     * The same locks without a part in transactions: a lock ends when its handle is released, also if a transaction is
     * active. What it protects may then be committed after its end.
     *
     * @return a locker whose locks end by release alone; this one, if it takes no part in transactions
     */
    default Locker withoutTransactions() {
        return this;
    }

    /**
     * Tries to take a lock, waiting for it no longer than the request's wait time.
     *
     * @param request what to lock and on which terms; what it leaves open is taken from the locker's configuration
     * @return the held lock, or empty if others held it for the whole wait time
     * @throws LockBackendException if the store could not say whether the lock was granted
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalArgumentException if the request and the locker's configuration contradict each other
     */
    Optional<LockHandle> tryLock(LockRequest request);

    /**
     * Does what {@link #tryLock(LockRequest)} does without occupying a thread.
     *
     * <p>Cancelling the returned stage's future, or completing it, as a timeout does, gives up the wait; a lock that is
     * granted all the same is released.
     *
     * @param request what to lock and on which terms
     * @return a stage that ends as the blocking method would. It is completed on the calling thread if the answer is there
     *     before this method returns, and otherwise on one of a few threads for that purpose. Code that blocks there
     *     delays other asynchronous calls; it never delays a renewal
     */
    CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request);

    /**
     * Tries once to take a lock, without waiting.
     *
     * @param key what to lock
     * @return the held lock, or empty if it is held elsewhere
     * @throws LockBackendException if the store could not say whether the lock was granted
     */
    default Optional<LockHandle> tryLock(String key) {
        return tryLock(key, Duration.ZERO);
    }

    /**
     * Tries to take a lock, waiting for it no longer than given.
     *
     * @param key what to lock
     * @param waitTime the longest to wait; zero tries once
     * @return the held lock, or empty if others held it for the whole wait time
     * @throws LockBackendException if the store could not say whether the lock was granted
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     */
    default Optional<LockHandle> tryLock(String key, Duration waitTime) {
        return tryLock(LockRequest.of(key).withWaitTime(waitTime));
    }

    /**
     * Takes a lock, waiting for it no longer than the locker's configured wait time. Inside a Spring transaction the lock
     * ends with the transaction, not with the handle; {@link #withoutTransactions()} opts out.
     *
     * @param key what to lock
     * @return the held lock
     * @throws LockNotAcquiredException if others held it for the whole wait time
     * @throws LockBackendException if the store could not say whether the lock was granted
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     */
    default LockHandle lock(String key) {
        return lock(LockRequest.of(key));
    }

    /**
     * Takes a lock on the terms of a request.
     *
     * @param request what to lock and on which terms
     * @return the held lock
     * @throws LockNotAcquiredException if others held it for the whole wait time
     * @throws LockBackendException if the store could not say whether the lock was granted
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     */
    default LockHandle lock(LockRequest request) {
        long start = System.nanoTime();
        return tryLock(request)
                .orElseThrow(() -> new LockNotAcquiredException(
                        name(), request.key(), Duration.ofNanos(System.nanoTime() - start)));
    }

    /**
     * Runs a piece of work under a lock, on the locker's configured terms; see
     * {@link #executeLocked(LockRequest, Callable)}.
     *
     * @param key what to lock
     * @param work what to run
     * @param <T> what the work answers
     * @return the work's answer
     * @throws Exception what the work throws
     */
    default <T> T executeLocked(String key, Callable<T> work) throws Exception {
        return executeLocked(LockRequest.of(key), work);
    }

    /**
     * Runs a piece of work under a lock.
     *
     * <p>Within the work, on its thread, {@link LockContext#current()} is the handle, and a nested call for the same
     * locker and key joins the lock that is already held: it sends nothing to the store. A lock that is lost while the
     * work runs makes this method fail even though the work returned, because what it did may have met another
     * holder's. Inside a Spring transaction the lock is kept until the transaction has ended;
     * {@link #withoutTransactions()} opts out.
     *
     * @param request what to lock and on which terms
     * @param work what to run
     * @param <T> what the work answers
     * @return the work's answer
     * @throws LockNotAcquiredException if others held the lock for the whole wait time; the work did not run
     * @throws LockLostException if the work returned, but the lock was lost before it did
     * @throws Exception what the work throws; it wins over everything that goes wrong with the lock
     */
    default <T> T executeLocked(LockRequest request, Callable<T> work) throws Exception {
        return LockContext.execute(this, request, work);
    }
}
