package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link Locker} over the leases of a store. */
public final class LeaseLocker implements Locker {

    private final LockerSettings settings;

    private final Terms terms;

    private final String backendName;

    private final LockBackend backend;

    private final EngineParts parts;

    private final ConcurrentMap<LockId, LocalLine> lines = new ConcurrentHashMap<>();

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicInteger pendingRemovals = new AtomicInteger();

    private volatile boolean stopped;

    LeaseLocker(LockerSettings settings, String backendName, LockBackend backend, EngineParts parts) {
        LockId.of(settings.namespace(), "key");
        this.settings = settings;
        this.terms = Terms.of(
                settings.name(),
                settings.ttl(),
                settings.autoRenew(),
                settings.maxHoldTime(),
                settings.minHoldTime(),
                settings.commandTimeout());
        this.backendName = backendName;
        this.backend = backend;
        this.parts = parts;
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(name(), request.key());
        }
        return new BlockingAcquisition(this, request).await(termsFor(request));
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        return new AsyncAcquisition(this, request, termsFor(request)).start();
    }

    /**
     * What the locker is doing at this moment.
     *
     * @return a snapshot
     */
    public LockerStatus status() {
        List<LockHandle> held = new ArrayList<>();
        for (LocalLine line : lines.values()) {
            Lease lease = line.lease();
            if (lease != null && !lease.ended()) {
                held.add(lease.holder());
            }
        }
        return new LockerStatus(name(), backendName, held, waiting.get(), pendingRemovals.get());
    }

    LockerSettings settings() {
        return settings;
    }

    LockBackend backend() {
        return backend;
    }

    EngineParts parts() {
        return parts;
    }

    ConcurrentMap<LockId, LocalLine> lines() {
        return lines;
    }

    AtomicInteger waiting() {
        return waiting;
    }

    AtomicInteger pendingRemovals() {
        return pendingRemovals;
    }

    boolean stopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
        lines.values().forEach(LocalLine::wakeAll);
    }

    void resume() {
        stopped = false;
    }

    boolean holdsAny() {
        return lines.values().stream().map(LocalLine::lease).anyMatch(lease -> lease != null && !lease.ended());
    }

    void releaseAll() {
        for (LocalLine line : lines.values()) {
            Lease lease = line.lease();
            if (lease != null) {
                lease.lose(LossReason.SHUTDOWN);
            }
        }
    }

    private Terms termsFor(LockRequest request) {
        if (stopped) {
            throw new LockBackendException(
                    "lock '" + request.key() + "' of locker '" + name()
                            + "' was not asked for: the locker is shut down",
                    name(),
                    request.key(),
                    null);
        }
        return Terms.of(settings, terms, request);
    }
}
