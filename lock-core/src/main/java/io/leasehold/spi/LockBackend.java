package io.leasehold.spi;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * A store that keeps leases.
 *
 * <p>Every operation is asynchronous, is one atomic step in the store, and carries the token of its lease. The following
 * holds for every backend. {@code LockBackendContract} checks the effects and answers of the operations. It cannot check
 * whether calls block, whether a backend retries, and whether the clock of a client has an influence:
 *
 * <ol>
 *   <li>A stage completes normally only with an answer of the store. In every other case it completes exceptionally,
 *       either with a {@link BackendFailure} that states whether the operation may have been carried out, or with any
 *       other exception, which counts as {@link BackendFailure.Effect#UNKNOWN}.
 *   <li>A backend never retries an operation on its own after an unknown outcome, except where the store makes a retry
 *       harmless. A backend need not limit its waits: the engine applies a timeout and cancels the stage's future.
 *   <li>Stages may be completed on any thread. Calls do not block, and also serve a thread that is interrupted. A backend
 *       with a blocking client calls it on its own executor.
 *   <li>The engine may send the next command on the thread that completes a stage. A backend holds no lock then that the
 *       next command needs.
 *   <li>The store's clock alone decides when a lease has expired, unless leases end with a connection.
 * </ol>
 *
 * <p>Backends are thread-safe.
 */
public interface LockBackend extends AutoCloseable {

    /**
     * Opens the connections that operations need, unless they are open. Operations also open them. Opening a connection
     * may take longer than an answer, however. The engine therefore calls this method before its first operation, with
     * a timeout of ten seconds instead of the command timeout. It cancels the future of an attempt that takes longer, and
     * calls again. A backend that keeps the future of its attempt returns copies of it.
     *
     * @return completes when operations can be sent; fails like every operation, and may be called again after a
     *     failure or a cancellation
     */
    default CompletionStage<Void> connect() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Requests a lease. If a lease with the same token still exists, the command renews it and returns the same fencing
     * tokens. A command that a client sends twice is therefore harmless.
     *
     * @param command the lock, the ttl and the token
     * @return granted or busy
     */
    CompletionStage<AcquireAnswer> acquire(AcquireCommand command);

    /**
     * Renews leases. Each lease that still exists under its token and has not expired is kept for at least its new ttl
     * from now on. A renewal never creates a lease, revives an expired one, shortens one or changes its owner. Renewals
     * of the same lease may therefore overtake each other without harm.
     *
     * @param commands the leases and their new ttls, at least one
     * @return an answer for each command, in the same order
     */
    CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands);

    /**
     * Ends a lease. The lease is removed, or expires later if the command retains it for some time; it is not renewed
     * meanwhile, not even with its token. Only the lease with the same token is changed.
     *
     * <p>A further release never prolongs a retained lease. A store may end the lease earlier, as that release requests,
     * or leave it as it is. The engine therefore repeats a release only for the rest of the same time, and removes the
     * lease only after that time. An operator removes a retained lease with {@link #revoke}.
     *
     * @param command the lease, and how long it is retained
     * @return whether the lease existed. A further release that retains nothing is answered with {@link
     *     ReleaseAnswer#RELEASED} only if it has removed the retained lease
     */
    CompletionStage<ReleaseAnswer> release(ReleaseCommand command);

    /**
     * Checks the store for conditions that make its locks less safe, for example a Redis that evicts keys or a database
     * that is a standby. Called after a locker has connected for the first time, or at start-up if a finding may fail
     * the start, and by the health check and the endpoint, which report a store as reachable if it answers. A backend
     * therefore asks its store, also if there is nothing to find. By default it renews a lease that does not exist.
     *
     * @return the findings, empty if there are none; fails like every operation if the store cannot be queried
     */
    default CompletionStage<List<SafetyFinding>> inspect() {
        RenewCommand ofNoLease =
                new RenewCommand(LockId.of("leasehold", "inspection"), new Token(0, 0), Duration.ofSeconds(1));
        return renew(List.of(ofNoLease)).thenApply(answers -> {
            if (answers.contains(RenewAnswer.UNKNOWN)) {
                throw new BackendFailure(Effect.UNKNOWN, "the store did not answer", null);
            }
            return List.of();
        });
    }

    /**
     * Reads the store's wall clock for a comparison with the clock of this machine. No lock depends on the difference.
     * Fencing tokens may decrease, however, if the store is replaced by one whose clock is behind.
     *
     * @return milliseconds since 1970, empty if the store does not provide its clock; fails like every operation
     */
    default CompletionStage<OptionalLong> clockMillis() {
        return CompletableFuture.completedFuture(OptionalLong.empty());
    }

    /**
     * Records the name of an instance, so that other processes can read which process holds a lock. The engine calls
     * this method in the background after it has connected, and does not depend on the outcome. A backend that stores
     * the name with each lease has nothing to do. Otherwise it keeps the record for longer than any lease of the
     * instance, until it is closed.
     *
     * @param instance the instance of the tokens that the engine draws
     * @return completes when the name is recorded; fails like every operation
     */
    default CompletionStage<Void> introduce(Instance instance) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Reads the state of a lock, and changes nothing. The name of its holder is {@link Token#holder()}.
     *
     * @param id the lock
     * @return the state, {@link LockState.Unknown} if the store cannot report it; fails like every operation
     */
    default CompletionStage<LockState> describe(LockId id) {
        return CompletableFuture.completedFuture(
                new LockState.Unknown("the backend does not report the holders of locks"));
    }

    /**
     * Reads which locks of a namespace are held, and changes nothing. Other operations are not delayed: the store is
     * read in bounded steps or time.
     *
     * @param namespace the namespace
     * @param limit the greatest number of locks, from 1 to {@value LockListing#MOST}
     * @return the locks, whose keys are those of {@link LockId#key(String)}, and whether there may be more; a listing
     *     without locks that says so if the store cannot tell; fails like every operation
     */
    default CompletionStage<LockListing> list(String namespace, int limit) {
        return CompletableFuture.completedFuture(LockListing.unknown("the backend does not list locks"));
    }

    /**
     * Ends the renewals of a lease, in one step. The lease keeps its remaining time and can no longer be renewed. Its
     * owner may still release it. A lease that its owner has released, and that is only retained, is removed. A second
     * call for the same lease has the same outcome.
     *
     * @param id the lock
     * @param fencingToken names the lease: the fencing token that {@link #describe} returns for it. No other lease is
     *     changed
     * @return what was done; fails like every operation
     */
    default CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return CompletableFuture.completedFuture(ForcedRelease.Outcome.UNSUPPORTED);
    }

    /**
     * Adds a listener for hints that a lease was {@linkplain #revoke revoked}, by this process or another one. A hint
     * makes the engine renew the lease immediately, and only the answer of the store to that renewal counts. A hint may
     * therefore be late, lost, repeated or wrong.
     *
     * <p>A backend receives hints only where it already listens for the wake-ups of waiters. It opens no connection and
     * sends no command for them, except with the revocation itself. A revocation whose hint cannot be sent succeeds. A
     * backend without such a channel never calls the listener.
     *
     * @param listener receives the {@linkplain Token#low() last 64 bits} of the lease's token, on any thread; does not
     *     block or throw. It is kept until the backend is closed, and adding it again has no effect
     */
    default void onRevocation(LongConsumer listener) {}

    /**
     * Closes the resources that the backend itself has opened. Leases in the store remain. Operations fail afterwards.
     */
    @Override
    default void close() {}
}
