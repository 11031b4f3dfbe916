package io.leasehold.spi;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that keeps leases.
 *
 * <p>Every operation is asynchronous, is one atomic step in the store, and carries the token of the lease it means. The
 * contract, which {@code LockBackendContract} checks for every backend:
 *
 * <ol>
 *   <li>A stage ends with an answer only if the store gave one. Everything else ends it exceptionally: with a
 *       {@link BackendFailure} that says whether the operation may have been carried out, or with any other exception,
 *       which counts as {@link BackendFailure.Effect#UNKNOWN}.
 *   <li>A backend never retries an operation on its own after an unknown outcome, except where the store makes that
 *       harmless. It need not bound its waits either: the engine does, and cancels the stage's future.
 *   <li>Stages may be completed on any thread. Calls do not block; a store whose client blocks is called on an executor
 *       of the backend's own.
 *   <li>The store's clock alone decides when a lease has expired.
 * </ol>
 *
 * <p>Backends are safe for use by many threads.
 */
public interface LockBackend extends AutoCloseable {

    /**
     * Opens the connections that operations need, unless they are open. Operations open them too; but opening one may take
     * longer than an answer, so the engine calls this before its first operation and applies a timeout of ten seconds
     * instead of the command timeout.
     *
     * @return ends when operations can be sent; fails like every operation, and may be asked for again then
     */
    default CompletionStage<Void> connect() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Asks for a lease. Asking again with the token of a lease that is still there renews it and answers with the same
     * fencing tokens; so a command that a client sends twice does no harm.
     *
     * @param command what to lock, for how long, under which token
     * @return granted or busy
     */
    CompletionStage<AcquireAnswer> acquire(AcquireCommand command);

    /**
     * Renews leases: each that is still there under its token and has not expired runs for at least its new ttl from now
     * on. A renewal never creates a lease, revives an expired one, shortens one or changes its owner; so renewals of a
     * lease may overtake each other without harm.
     *
     * @param commands the leases and their new ttls, at least one
     * @return an answer for each command, in the same order
     */
    CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands);

    /**
     * Ends a lease: removes it, or leaves it to expire by itself where it has to be kept for a while. Only the lease
     * with the same token is touched.
     *
     * @param command the lease, and how long it has to be kept
     * @return whether the lease was there
     */
    CompletionStage<ReleaseAnswer> release(ReleaseCommand command);

    /**
     * Looks for what makes locks in this store less safe than they could be: a Redis that evicts keys, a database that
     * is a standby, and the like. Asked at start-up and by the health check.
     *
     * @return what was found, empty if nothing; fails as every operation does if the store cannot be asked
     */
    default CompletionStage<List<SafetyFinding>> inspect() {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * Reads the store's time of day, to be compared with that of this machine. No lock depends on the difference, but
     * fencing tokens may go back if the store is replaced by one whose clock is behind.
     *
     * @return milliseconds since 1970, empty if the store does not tell; fails as every operation does
     */
    default CompletionStage<OptionalLong> clockMillis() {
        return CompletableFuture.completedFuture(OptionalLong.empty());
    }

    /** Closes what the backend itself has opened; leases in the store stay. Operations then fail. */
    @Override
    default void close() {}
}
