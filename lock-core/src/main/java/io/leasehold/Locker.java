package io.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * A named entry point to the locks of one namespace.
 *
 * <p>The store grants a key to one holder at a time, across all processes that use the same namespace. A lock is a
 * lease: it ends when it is released, or when it has not been renewed for the ttl. A process that is paused for longer
 * than the ttl loses its lock while it is paused. {@link LockHandle#isHeld()} reports the loss afterwards; {@link
 * LockHandle#fencingToken()} protects against it.
 *
 * <p>Lockers are thread-safe. A busy lock is a result; a store that does not answer is a {@link LockBackendException}.
 * If the thread of a blocking method is interrupted, the method immediately throws {@link LockInterruptedException},
 * with the interrupt flag set; what it may have left in the store is being removed.
 *
 * <p>Lockers that the auto-configuration creates participate in Spring's transactions. A lock that a thread acquires
 * inside a transaction, by {@link #tryLock(LockRequest)} or a method based on it, ends when that transaction has
 * committed or rolled back:
 *
 * <ul>
 *   <li>{@link LockHandle#release()} and {@link LockHandle#close()} leave the release to the end of the transaction.
 *       Until then the handle {@linkplain LockHandle#isHeld() is held}.
 *   <li>A further call for the same key on that thread joins the lock, even in a transaction that suspends the first
 *       one.
 *   <li>If the lock is lost, {@link LockLostException} prevents the commit, unless the transaction is read-only.
 * </ul>
 *
 * <p>{@link #tryLockAsync(LockRequest)} does not participate, because its result belongs to no thread. Use {@link
 * #withoutTransactions()} for locks whose end the caller determines.
 */
public interface Locker {

    /**
     * Returns the name under which the locker was configured.
     *
     * @return the name, never blank
     */
    String name();

    /**
     * Returns an identity of the locks of this locker. Lockers of one application with the same namespace and store have
     * the same locks. A locker with the same name in another application context has others, perhaps in another store or
     * namespace. A call joins a lock under which it works only if the identities are equal.
     *
     * @return an object that equals the {@link LockHandle#lockSpace()} of this locker's locks, and of no others
     */
    default Object lockSpace() {
        return name();
    }

    /**
     * Returns the wait time of requests that set none. The locks of one annotated call share it.
     *
     * @return the wait time, not negative; ten seconds unless it is configured
     */
    default Duration waitTime() {
        return Duration.ofSeconds(10);
    }

    /**
     * Validates the terms of a request against the settings of this locker, without a request to the store. {@link
     * #tryLock(LockRequest)} fails in the same way.
     *
     * @param request the request; its key is not considered
     * @throws IllegalArgumentException if the terms contradict each other or the locker's settings; the message names
     *     both
     */
    default void requireValid(LockRequest request) {}

    /**
     * Returns a locker for the same locks that does not participate in transactions. Its locks end when their handles
     * are released, even if a transaction is active. The transaction may then commit after the lock has ended.
     *
     * @return a locker whose locks end by release alone; this locker if it does not participate in transactions
     */
    default Locker withoutTransactions() {
        return this;
    }

    /**
     * Returns whether a transaction of the calling thread keeps the lock of a key. Such a lock ends with that
     * transaction, so a thread that waits for it without joining it, as a locker {@linkplain #withoutTransactions()
     * without transactions} does, waits for itself.
     *
     * @param key the key of the lock
     * @return whether the lock is held and ends with a transaction of this thread; {@code false} if this locker does not
     *     participate in transactions
     */
    default boolean isKeptByTransaction(String key) {
        return false;
    }

    /**
     * Returns a locker for the same locks that does not apply the application's key customizers. It takes keys as
     * {@link #visibleKey(String)} returns them.
     *
     * @return a locker that locks the given keys themselves; this locker if it has no key customizers
     */
    default Locker withoutKeyCustomizers() {
        return this;
    }

    /**
     * Returns the form of a key that leaves this locker: to the store, and in handles, exceptions, events and log
     * lines. A locker {@linkplain #withoutKeyCustomizers() without key customizers} returns such a form unchanged.
     *
     * @param key a key
     * @return the key after the application's key customizers, or the key itself if there are none; {@link
     *     LockKeys#mask(String)} of it if the locker masks keys
     */
    default String visibleKey(String key) {
        return key;
    }

    /**
     * Tries to acquire a lock, and waits for other holders no longer than the request's wait time. A store that does not
     * answer takes up to a command timeout more, and the first call up to ten seconds to open its connection.
     *
     * <p>A thread that works under the lock, in {@link #executeLocked} or an annotated method, would wait for itself.
     * It does not wait and gets no lock.
     *
     * @param request the key and the terms; unset terms come from the locker's configuration
     * @return the held lock; empty if other holders held it for the whole wait time, or if the calling thread works under
     *     it
     * @throws LockBackendException if the store refused, failed or did not answer
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalArgumentException if the request and the locker's configuration contradict each other
     */
    Optional<LockHandle> tryLock(LockRequest request);

    /**
     * Tries to acquire a lock as {@link #tryLock(LockRequest)} does, without blocking a thread. It also waits for a lock
     * under which the calling thread works, because the thread may end that work meanwhile.
     *
     * <p>The caller gives up the wait by cancelling or completing the returned stage's future, as a timeout does. If
     * the lock is granted nevertheless, it is released.
     *
     * @param request the key and the terms
     * @return a stage that completes with the result of the blocking method, or fails with a
     *     {@link LockBackendException}. It is completed on the calling thread if the answer arrives before this method
     *     returns, otherwise on one of a few threads for that purpose. Code that blocks there delays other asynchronous
     *     calls, but never a renewal. It may wait for this stage itself, but not for a stage that depends on it
     * @throws IllegalArgumentException if the request and the locker's configuration contradict each other
     */
    CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request);

    /**
     * Reads from the store which process holds a lock, without acquiring it. For people and messages: the lock may
     * change hands before the answer arrives.
     *
     * @param key the key of the lock
     * @return a stage that completes with the state, {@link LockState.Unknown} if the locker or its store cannot report
     *     it; fails with a {@link LockBackendException} if the store refused, failed or did not answer in time. It is
     *     completed on the same threads as that of {@link #tryLockAsync(LockRequest)}
     * @throws IllegalArgumentException if the key is blank or not valid Unicode
     */
    default CompletionStage<LockState> describe(String key) {
        return CompletableFuture.completedFuture(
                new LockState.Unknown("locker '" + name() + "' does not report the holders of its locks"));
    }

    /**
     * Reads from the store which locks of this locker's namespace are held, by this process or others. The listing is
     * bounded, and so is the work of the store. The application's key customizers do not select locks: the listing has
     * all keys of the namespace. If the caller cancels the returned stage's future, the store is read no further.
     *
     * @param limit the greatest number of locks, from 1 to {@value LockListing#MOST}
     * @return a stage that completes with the locks and whether there may be more. It has no locks and says so if the
     *     locker or its store cannot tell; fails with a {@link LockBackendException} if the store refused, failed or
     *     did not answer in time. It is completed on the same threads as that of {@link #tryLockAsync(LockRequest)}
     * @throws IllegalArgumentException if the limit is not in that range
     */
    default CompletionStage<LockListing> list(int limit) {
        return CompletableFuture.completedFuture(
                LockListing.unknown("locker '" + name() + "' does not list its locks"));
    }

    /**
     * Takes a lock from a holder that does not end. The lock is not removed: its holder can no longer renew it, so the
     * lock becomes free when its remaining time has passed, and the next holder gets a greater fencing token. The
     * remaining time is at most a ttl, or the time of the holder's last {@link LockHandle#renew(Duration)} if that is
     * longer; in etcd it begins again with the request, and two seconds are added. A lock that its holder has released,
     * and that is only kept for its minimum hold time, is removed.
     *
     * <p>The holder is notified at its next renewal that the lock is lost with {@link LossReason#REVOKED}, and its
     * transaction does not commit from then on. A holder in this process is notified immediately. A holder in another
     * process is notified immediately if a hint of the store arrives there. Hints arrive in processes that listen for
     * the wake-ups of waiters, in Redis with Lettuce and in PostgreSQL. Automatic renewals are sent every third of the
     * ttl, and after {@link LockHandle#renew(Duration)} when two thirds of the ttl are left. Without a hint, a lock that
     * is not renewed, because automatic renewal is off or its maximum hold time ends first, stays held for its remaining
     * time, and a transaction may commit within it.
     *
     * <p>A locker permits this only if it is
     * {@linkplain io.leasehold.engine.LockerSettings#forceRelease() configured so}. Each request is logged as a warning
     * and reported to the {@link LockListener}. It can be repeated without harm.
     *
     * @param key the key of the lock
     * @param fencingToken the {@linkplain LockState.Held#fencingToken() fencing token} of the holder in its state, zero
     *     if the state has none. If another holder has the lock meanwhile, nothing is changed
     * @param requestedBy the person or program that asks for it, for the log
     * @return a stage that completes with the outcome. It fails with a {@link LockBackendException} if the store
     *     refused, failed or did not answer in time; its message says whether the lock may have been taken. It fails
     *     with an {@link IllegalStateException} if the locker does not permit it
     * @throws IllegalArgumentException if the key is blank or not valid Unicode
     */
    default CompletionStage<ForcedRelease> forceRelease(String key, long fencingToken, String requestedBy) {
        return CompletableFuture.completedFuture(new ForcedRelease(
                name(), visibleKey(key), fencingToken, ForcedRelease.Outcome.UNSUPPORTED, null, requestedBy));
    }

    /**
     * Creates the failure for a caller whose wait time is over. The lockers of this library read the state of the lock
     * from the store for the message, unless this is switched off. If the calling thread holds the lock itself, the
     * message says so.
     *
     * @param key the key of the lock
     * @param waited how long the caller waited
     * @return a stage that completes with the exception, never exceptionally
     */
    default CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
        String visible = visibleKey(key);
        return CompletableFuture.completedFuture(LockContext.waitForItself(this, visible)
                .map(reason -> new LockNotAcquiredException(name(), visible, waited, reason))
                .orElseGet(() -> new LockNotAcquiredException(name(), visible, waited)));
    }

    /**
     * Tries once to acquire a lock, without waiting for another holder.
     *
     * @param key the key to lock
     * @return the held lock; empty if another holder or the calling thread has it, or if another caller of this process
     *     is acquiring it, whose result is not known yet
     * @throws LockBackendException if the store refused, failed or did not answer
     * @throws IllegalArgumentException if the key is blank or not valid Unicode
     */
    default Optional<LockHandle> tryLock(String key) {
        return tryLock(key, Duration.ZERO);
    }

    /**
     * Tries to acquire a lock, and waits no longer than the given time.
     *
     * @param key the key to lock
     * @param waitTime the maximum time to wait; zero tries once. With {@code redlock}, callers that ask at the same time
     *     may each get a part of the servers; they try a few more times, for about a command timeout at most
     * @return the held lock; empty if other holders held it for the whole wait time, or if the calling thread works under
     *     it
     * @throws LockBackendException if the store refused, failed or did not answer
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalArgumentException if the key is blank or not valid Unicode, or the wait time is negative
     */
    default Optional<LockHandle> tryLock(String key, Duration waitTime) {
        return tryLock(LockRequest.of(key).withWaitTime(waitTime));
    }

    /**
     * Acquires a lock as {@link #lock(LockRequest)} does, and waits for other holders no longer than the locker's
     * configured wait time. Inside a Spring transaction the lock ends with the transaction, not with the handle;
     * {@link #withoutTransactions()} opts out.
     *
     * @param key the key to lock
     * @return the held lock
     * @throws LockNotAcquiredException if other holders held it for the whole wait time, or immediately if the calling
     *     thread works under it
     * @throws LockBackendException if the store refused, failed or did not answer
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalArgumentException if the key is blank or not valid Unicode
     */
    default LockHandle lock(String key) {
        return lock(LockRequest.of(key));
    }

    /**
     * Acquires a lock on the terms of a request. A failure after the wait time takes up to a command timeout more, to
     * read the holder for the {@linkplain #notAcquired(String, Duration) message}.
     *
     * @param request the key and the terms
     * @return the held lock
     * @throws LockNotAcquiredException if other holders held it for the whole wait time, or immediately if the calling
     *     thread works under it
     * @throws LockBackendException if the store refused, failed or did not answer
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalArgumentException if the request and the locker's configuration contradict each other
     */
    default LockHandle lock(LockRequest request) {
        long start = System.nanoTime();
        Optional<LockHandle> acquired = tryLock(request);
        if (acquired.isPresent()) {
            return acquired.get();
        }
        try {
            throw notAcquired(request.key(), Duration.ofNanos(System.nanoTime() - start))
                    .toCompletableFuture()
                    .get();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(name(), visibleKey(request.key()));
        } catch (ExecutionException ex) {
            throw new CompletionException(ex.getCause());
        }
    }

    /**
     * Runs work under a lock, on the locker's configured terms; see {@link #executeLocked(LockRequest, Callable)}.
     *
     * @param key the key to lock
     * @param work the work to run
     * @param <T> the type of the work's result
     * @return the work's result
     * @throws Exception if the work throws it
     */
    default <T> T executeLocked(String key, Callable<T> work) throws Exception {
        return executeLocked(LockRequest.of(key), work);
    }

    /**
     * Runs work under a lock.
     *
     * <p>While the work runs, {@link LockContext#current()} returns the handle on its thread. A nested call for the
     * same {@linkplain #lockSpace() locks} and key joins the held lock and sends nothing to the store. If the lock is
     * lost while the work runs, this method fails even if the work returns normally, because another holder may have
     * worked at the same time. Inside a Spring transaction the lock is kept until the transaction has ended; {@link
     * #withoutTransactions()} opts out.
     *
     * <p>The lock ends when the work returns, unless an outer call or a transaction keeps it. A result that goes on
     * afterwards would go on without the lock, so this method rejects a future or stage that is not complete, a publisher,
     * a stream, an iterator and the like of other libraries. Wait for it in the work, or use {@link #tryLockAsync}. A
     * container of such results is not examined. A stream is returned if an outer call or a transaction still holds the
     * lock, under which the caller can read it.
     *
     * <p>A lambda without braces, such as {@code () -> sender.send(message)}, returns the value of its expression and is
     * a {@code Callable} to the compiler. With braces, {@code () -> { sender.send(message); }}, it returns nothing.
     *
     * @param request the key and the terms
     * @param work the work to run
     * @param <T> the type of the work's result
     * @return the work's result
     * @throws LockNotAcquiredException if other holders held the lock for the whole wait time; the work did not run
     * @throws LockBackendException if the store failed before the work ran; or if the machine seems to have been
     *     suspended during the work, and the store did not confirm the lock afterwards
     * @throws LockLostException if the work returned, but the lock was lost before it did; or if the lock of an outer
     *     call was lost before the work ran
     * @throws LockInterruptedException if the thread is interrupted before the lock is granted
     * @throws IllegalStateException if the work returned a result that is not done, or released the lock
     * @throws Exception if the work throws it; it takes precedence over every failure of the lock
     */
    default <T> T executeLocked(LockRequest request, Callable<T> work) throws Exception {
        return LockedWork.execute(this, request, work);
    }

    /**
     * Runs work without a result under a lock, on the locker's configured terms; see
     * {@link #executeLocked(LockRequest, Callable)}.
     *
     * @param key the key to lock
     * @param work the work to run
     */
    default void executeLocked(String key, Runnable work) {
        executeLocked(LockRequest.of(key), work);
    }

    /**
     * Runs work without a result under a lock; see {@link #executeLocked(LockRequest, Callable)}.
     *
     * @param request the key and the terms
     * @param work the work to run
     * @throws LockNotAcquiredException if other holders held the lock for the whole wait time; the work did not run
     * @throws LockBackendException if the store failed before the work ran; or if the machine seems to have been
     *     suspended during the work, and the store did not confirm the lock afterwards
     * @throws LockLostException if the work returned, but the lock was lost before it did
     */
    default void executeLocked(LockRequest request, Runnable work) {
        LockedWork.execute(this, request, work);
    }
}
