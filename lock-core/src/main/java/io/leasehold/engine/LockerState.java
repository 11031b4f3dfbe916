package io.leasehold.engine;

import io.leasehold.spi.LockBackend;
import io.leasehold.support.SafeCancellation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one locker that its acquisitions and leases share: the settings, the connection to the store, and the
 * number of calls in progress.
 */
final class LockerState {

    /** How long a caller waits for the store's connections. */
    static final long LONGEST_CONNECT = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(LockerState.class);

    private final LockerSettings settings;

    private final Space space;

    private final LockBackend backend;

    private final String storeOrigin;

    private final EngineResources resources;

    private final Reaper.Backlog backlog;

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicInteger openCalls = new AtomicInteger();

    private final AtomicReference<@Nullable CompletableFuture<Void>> connecting = new AtomicReference<>();

    private volatile boolean connected;

    private volatile @Nullable Duration renewalLag;

    /** Another one after each resume, so that a call that began before the stop does not go on after the resume. */
    private volatile AtomicBoolean stopped = new AtomicBoolean();

    /**
     * Creates the state of a locker that has not been used.
     *
     * @param store the store itself, without the decorators of this locker
     * @param backend the store with the decorators
     * @param storeOrigin the sentence about where the store is configured, for messages; empty if that is unknown
     */
    LockerState(
            LockerSettings settings,
            LockBackend store,
            LockBackend backend,
            String storeOrigin,
            EngineResources resources) {
        this.settings = settings;
        this.space = new Space(store, settings.namespace());
        this.backend = backend;
        this.storeOrigin = storeOrigin;
        this.resources = resources;
        this.backlog = new Reaper.Backlog(backend);
    }

    String name() {
        return settings.name();
    }

    LockerSettings settings() {
        return settings;
    }

    Space space() {
        return space;
    }

    LockBackend backend() {
        return backend;
    }

    String storeOrigin() {
        return storeOrigin;
    }

    EngineResources resources() {
        return resources;
    }

    /** The tokens that the reaper has yet to remove. */
    Reaper.Backlog backlog() {
        return backlog;
    }

    /** The number of callers that wait for a lock. */
    AtomicInteger waiting() {
        return waiting;
    }

    /** The number of acquisitions and releases in progress. */
    AtomicInteger openCalls() {
        return openCalls;
    }

    /** How much later than due the last automatic renewals were sent, {@code null} before the first. */
    @Nullable
    Duration renewalLag() {
        return renewalLag;
    }

    void renewalLag(Duration lag) {
        renewalLag = lag;
    }

    boolean isConnected() {
        return connected;
    }

    /** Opens the store's connections. Concurrent callers share one attempt. */
    CompletableFuture<Void> connect() {
        CompletableFuture<Void> attempt = new CompletableFuture<>();
        CompletableFuture<Void> other = connecting.compareAndExchange(null, attempt);
        if (other != null) {
            return other;
        }
        CompletableFuture<Void> opened;
        try {
            opened = backend.connect().toCompletableFuture();
        } catch (Throwable ex) {
            opened = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<Void> opening = opened;
        // a caller that has waited for too long ends the attempt: the next one must not wait for it as well
        attempt.whenComplete((nothing, failure) -> SafeCancellation.cancel(opening));
        opening.whenComplete((nothing, failure) -> {
            connected = failure == null;
            // before the attempt completes: a caller that retries on its failure must start a new attempt
            connecting.set(null);
            if (!isStopped()) {
                // a store ends an attempt when it is closed, which is after the listeners
                resources.listener().connectEnded(name(), failure == null);
            }
            if (failure == null) {
                attempt.complete(null);
                introduce();
            } else {
                attempt.completeExceptionally(
                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                ? wrapped.getCause()
                                : failure);
            }
        });
        return attempt;
    }

    /**
     * Records the name of this instance in the store. Locks do not depend on it, so a failure is only logged, unless
     * the locker was stopped.
     */
    private void introduce() {
        CompletionStage<Void> recorded;
        try {
            recorded = backend.introduce(resources.tokens().instance());
        } catch (Throwable ex) {
            recorded = CompletableFuture.failedFuture(ex);
        }
        recorded.whenComplete((nothing, failure) -> {
            if (failure != null && !isStopped()) {
                log.info(
                        "The name of this instance was not recorded in the store of locker '{}'. Other processes cannot"
                                + " read which process holds its locks: {}",
                        name(),
                        failure.getMessage());
            }
        });
    }

    /** Whether the locker grants no locks, because the engine is being shut down. */
    boolean isStopped() {
        return stopped.get();
    }

    /** Whether calls that begin now have to end; true from the next stop on, also after a resume. */
    AtomicBoolean stopped() {
        return stopped;
    }

    void stop() {
        stopped.set(true);
    }

    void resume() {
        // the store may have closed its connections meanwhile
        connected = false;
        if (isStopped()) {
            stopped = new AtomicBoolean();
        }
    }

    /** The locks of one namespace in one store. Lockers whose spaces are equal have the same locks. */
    record Space(LockBackend store, String namespace) {}
}
