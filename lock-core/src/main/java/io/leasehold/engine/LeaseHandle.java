package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.engine.InvalidSettingException.Range;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handle of one holder of a lease. Its end is a single field that is set once, to released or to the reason of the
 * loss.
 */
final class LeaseHandle implements LockHandle {

    private static final Logger log = LoggerFactory.getLogger(LeaseHandle.class);

    private static final Object RELEASED = "released";

    private static final AtomicReferenceFieldUpdater<LeaseHandle, @Nullable Object> END =
            AtomicReferenceFieldUpdater.newUpdater(LeaseHandle.class, Object.class, "end");

    private static final AtomicIntegerFieldUpdater<LeaseHandle> RENEWALS =
            AtomicIntegerFieldUpdater.newUpdater(LeaseHandle.class, "renewals");

    private static final AtomicReferenceFieldUpdater<LeaseHandle, @Nullable LossCallback> CALLBACKS =
            AtomicReferenceFieldUpdater.newUpdater(LeaseHandle.class, LossCallback.class, "callbacks");

    private final Lease lease;

    private final String key;

    private final long fencingToken;

    private final long acquiredAt;

    // a short, the thread, the counter and the flag share what alignment leaves: 8 bytes per held lock
    private final short handOversLeft;

    private final @Nullable Thread thread;

    private volatile int renewals;

    private boolean reportedAsLong;

    private volatile boolean minHoldWaived;

    private volatile @Nullable Object end;

    private volatile @Nullable LossCallback callbacks;

    LeaseHandle(
            Lease lease, String key, long fencingToken, long acquiredAt, int handOversLeft, @Nullable Thread thread) {
        this.lease = lease;
        this.key = key;
        this.fencingToken = fencingToken;
        this.acquiredAt = acquiredAt;
        this.handOversLeft = (short) handOversLeft;
        this.thread = thread;
    }

    @Override
    public String locker() {
        return lease.locker().name();
    }

    @Override
    public Object lockSpace() {
        return lease.locker().space();
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long fencingToken() {
        return fencingToken;
    }

    @Override
    public boolean isHeld() {
        return leftAt(now()) > 0;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, leftAt(now())));
    }

    @Override
    public void requireHeld() {
        if (!isHeld()) {
            throw notHeld();
        }
    }

    @Override
    public void renew() {
        long now = now();
        renew(lease.renewalTtl(now), now);
    }

    @Override
    public void renew(Duration ttl) {
        LeaseTerms terms = lease.terms();
        if (ttl.compareTo(Duration.ofNanos(terms.commandTimeout() * 3)) < 0) {
            throw new IllegalArgumentException("'ttl' " + ttl + " must be at least three times the command-timeout "
                    + Duration.ofNanos(terms.commandTimeout()) + " of locker '" + locker() + "' (key '"
                    + LockState.printable(key) + "')");
        }
        if (ttl.compareTo(Range.LONGEST) > 0) {
            throw new IllegalArgumentException("'ttl' " + ttl + " must be at most " + Range.LONGEST.toDays() + " days"
                    + " (locker '" + locker() + "', key '" + LockState.printable(key) + "')");
        }
        long now = now();
        if (terms.maxHold() != Long.MAX_VALUE && ttl.toNanos() > lease.holdEnd() - now) {
            throw new IllegalArgumentException("'ttl' " + ttl + " goes beyond the maximum hold time: "
                    + Duration.ofNanos(Math.max(0, lease.holdEnd() - now)) + " of it are left (locker '" + locker()
                    + "', key '" + LockState.printable(key) + "')");
        }
        renew(ttl, now);
    }

    void requireNotEnded() {
        if (end != null) {
            throw notHeld();
        }
    }

    private void renew(Duration ttl, long now) {
        if (end != null || lease.isExpired(now)) {
            requireHeld();
        }
        lease.renewNow(this, ttl);
    }

    @Override
    public void onLost(Consumer<? super LossReason> callback) {
        LossCallback before;
        do {
            before = callbacks;
        } while (!CALLBACKS.compareAndSet(this, before, new LossCallback(callback, before)));
        // read after the push: lost() sets the end before it takes the callbacks, so one of the two runs this callback
        if (end instanceof LossReason reason) {
            runCallbacks(reason);
        }
    }

    @Override
    public void waiveMinHoldTime() {
        minHoldWaived = true;
    }

    @Override
    public boolean release() {
        LeaseRelease release = beginRelease();
        return release != null && release.await();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        LeaseRelease release = beginRelease();
        return release == null ? CompletableFuture.completedFuture(false) : release.awaitAsync();
    }

    @Override
    public String toString() {
        return "lock '" + LockState.printable(key) + "' of locker '" + locker() + "' (fencing token " + fencingToken
                + ", " + (isHeld() ? "held" : "not held") + ")";
    }

    Lease lease() {
        return lease;
    }

    long acquiredAt() {
        return acquiredAt;
    }

    boolean isReleased() {
        return end == RELEASED;
    }

    /** The thread that acquired the lock, {@code null} for an asynchronous caller. */
    @Nullable
    Thread thread() {
        return thread;
    }

    /** The number of renewals that the store has confirmed to this holder. */
    int renewals() {
        return renewals;
    }

    void countRenewal() {
        RENEWALS.incrementAndGet(this);
    }

    /** Whether the log has the hold. Only the watchdog reads and sets it. */
    boolean isReportedAsLong() {
        return reportedAsLong;
    }

    void reportedAsLong() {
        reportedAsLong = true;
    }

    /** The number of further holders to which the lease may be handed over. */
    int handOversLeft() {
        return handOversLeft;
    }

    /** How long the lock must stay taken after a release at the given time. */
    Duration stillToHold(long now) {
        long left = minHoldWaived ? 0 : lease.terms().minHold() - (now - acquiredAt);
        return left > 0 ? Duration.ofNanos(left).plusMillis(1) : Duration.ZERO;
    }

    /** Ends the handle as lost, unless it has already ended. Returns whether it had not. */
    boolean lost(LossReason reason) {
        if (!END.compareAndSet(this, null, reason)) {
            return false;
        }
        Duration held = Duration.ofNanos(now() - acquiredAt);
        listener().lost(this, reason, held);
        runCallbacks(reason);
        SafeLogging.log(() -> log.warn(
                "Lock '{}' of locker '{}' was lost after {} ms: {}. What its holder does from now on may meet another"
                        + " holder's work (fencing token {})",
                LockState.printable(key),
                locker(),
                held.toMillis(),
                reason.explanation(),
                fencingToken));
        return true;
    }

    RuntimeException notHeld() {
        Object how = end;
        if (how instanceof LossReason reason) {
            return new LockLostException(locker(), key, reason);
        }
        if (how != null) {
            return new IllegalStateException("lock '" + LockState.printable(key) + "' of locker '" + locker()
                    + "' was released. Acquire it again for further work");
        }
        if (lease.isExpired(now())) {
            return new LockLostException(locker(), key, lease.reasonOfExpiry());
        }
        return new LockBackendException(
                "lock '" + key + "' of locker '" + locker()
                        + "' has to be confirmed by the store first: this machine seems to have been suspended",
                locker(),
                key,
                null);
    }

    private EngineListener listener() {
        return lease.locker().resources().listener();
    }

    private long now() {
        return lease.locker().resources().ticker().nanos();
    }

    private long leftAt(long now) {
        if (end != null) {
            return 0;
        }
        if (lease.isExpired(now)) {
            lease.expire();
            return 0;
        }
        EngineResources resources = lease.locker().resources();
        if (lease.isSuspect(now, resources.ticker().wallMillis())) {
            resources.watchdog().hurry();
            return 0;
        }
        return lease.validity().validUntil() - now;
    }

    /**
     * Releases the lock of a caller that has given up. Reports the release on another thread, because this one may be
     * a thread of the engine or of the store's client.
     */
    void abandon() {
        waiveMinHoldTime();
        LeaseRelease release = beginRelease(listener()::releasedForCaller);
        if (release != null) {
            release.awaitAsync();
        }
    }

    private @Nullable LeaseRelease beginRelease() {
        return beginRelease(listener()::released);
    }

    private @Nullable LeaseRelease beginRelease(BiConsumer<LockHandle, Duration> report) {
        long now = now();
        if (end == null && lease.isExpired(now)) {
            lease.expire();
        }
        if (!END.compareAndSet(this, null, RELEASED)) {
            if (end == LossReason.REVOKED) {
                // the lease has kept its remaining time for the work that ends here
                lease.reap();
            }
            return null;
        }
        // only frees the callbacks: the end is set to released, so no thread runs them any more
        CALLBACKS.lazySet(this, null);
        report.accept(this, Duration.ofNanos(now - acquiredAt));
        return lease.release(this);
    }

    private void runCallbacks(LossReason reason) {
        // taken atomically: onLost() may run callbacks at the same time, and each callback runs once
        LossCallback next = CALLBACKS.getAndSet(this, null);
        while (next != null) {
            Consumer<? super LossReason> callback = next.callback();
            try {
                lease.locker().resources().executors().lossCallbacks().execute(() -> run(callback, reason));
            } catch (RejectedExecutionException ex) {
                SafeLogging.log(() -> log.error(
                        "A callback of {} did not run: too many others wait, no thread could be started, or the engine is"
                                + " closed",
                        this,
                        ex));
            }
            next = next.next();
        }
    }

    private static void run(Consumer<? super LossReason> callback, LossReason reason) {
        try {
            callback.accept(reason);
        } catch (Throwable ex) {
            log.error("A callback for a lost lock failed", ex);
        }
    }

    private record LossCallback(
            Consumer<? super LossReason> callback, @Nullable LossCallback next) {}
}
