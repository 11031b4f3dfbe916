package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Promises, each named by its method. The ttl is so long that the end of a lease cannot fulfil any of them.
 */
final class Promises {

    private static final Duration LONG_TTL = Duration.ofSeconds(120);

    private static final Duration SOON = Duration.ofSeconds(40);

    private static final Duration MIN_HOLD = Duration.ofSeconds(4);

    private static final long PACE = 50_000_000;

    private final BreakableStore store;

    private final Locker elsewhere;

    private final Findings findings;

    Promises(BreakableStore store, FaultyProcess rival, Findings findings) {
        this.store = store;
        this.elsewhere = rival.locker();
        this.findings = findings;
    }

    void check() {
        try (FaultyProcess process = FaultyProcess.behindProxies(store, LONG_TTL)) {
            nothingIsLeftOfAnAcquisition("promise-lost-reply", FaultMode.LOSE_REPLY, process);
            nothingIsLeftOfAnAcquisition("promise-late-request", FaultMode.STALL_REQUESTS, process);
            nothingIsLeftOfAnAcquisition("promise-late-reply", FaultMode.STALL_REPLIES, process);
            aReleaseInAnOutageHidesNoException("promise-release", process);
            if (store.keepsLocksOfBrokenConnections()) {
                aMinimumHoldTimeOutlivesALostReply("promise-min-hold", process);
            }
        }
    }

    /** The repeated release after a lost reply keeps the lock for the minimum hold time, like the first release. */
    private void aMinimumHoldTimeOutlivesALostReply(String key, FaultyProcess process) {
        LockHandle handle = process.lock(key, SOON);
        handle.release();
        LockRequest request = LockRequest.of(key).withWaitTime(SOON).withMinHoldTime(MIN_HOLD);
        long askedAt = System.nanoTime();
        LockHandle kept = process.locker().tryLock(request).orElseThrow();
        process.network().forEach(proxy -> proxy.set(FaultMode.LOSE_REPLY));
        kept.release();
        process.network().forEach(FaultProxy::pass);
        while (System.nanoTime() - askedAt < MIN_HOLD.toNanos()) {
            Optional<LockHandle> early = tryElsewhere(key);
            if (early.isPresent() && System.nanoTime() - askedAt < MIN_HOLD.toNanos()) {
                findings.violation(key + ": granted within its minimum hold time");
            }
            early.ifPresent(LockHandle::close);
            LockSupport.parkNanos(PACE);
        }
        requireFree(key, System.nanoTime());
    }

    private Optional<LockHandle> tryElsewhere(String key) {
        try {
            return elsewhere.tryLock(key);
        } catch (LockBackendException busy) {
            return Optional.empty();
        }
    }

    /** The key is removed soon after the network heals, and the next acquisition of the same thread is a new grant. */
    private void nothingIsLeftOfAnAcquisition(String key, FaultMode fault, FaultyProcess process) {
        process.network().forEach(proxy -> proxy.set(fault));
        Optional<LockHandle> granted = Optional.empty();
        try {
            granted = process.locker().tryLock(key);
            if (granted.isEmpty()) {
                findings.violation(key + ": told that the lock is taken");
            }
        } catch (LockBackendException expected) {
            process.network().forEach(FaultProxy::cut);
        } finally {
            process.network().forEach(FaultProxy::pass);
        }
        long healedAt = System.nanoTime();
        granted.ifPresent(LockHandle::close);
        long fence = requireFree(key, healedAt);
        LockHandle again = process.lock(key, SOON);
        if (again.fencingToken() <= fence) {
            findings.violation(key + ": the next grant is not a fresh one");
        }
        again.close();
        requireFree(key, System.nanoTime());
    }

    /** The exception of the body is thrown, and it is thrown long before the end of the lease. */
    private void aReleaseInAnOutageHidesNoException(String key, FaultyProcess process) {
        IllegalStateException own = new IllegalStateException("the body's own");
        AtomicLong thrownAt = new AtomicLong();
        long deadline = System.nanoTime() + SOON.toNanos();
        while (thrownAt.get() == 0) {
            process.lock(key, SOON).close();
            try {
                process.locker().executeLocked(key, () -> {
                    process.network().forEach(proxy -> proxy.set(FaultMode.REFUSE));
                    thrownAt.set(System.nanoTime());
                    throw own;
                });
                findings.violation(key + ": the body's exception was lost");
            } catch (Exception ex) {
                if (thrownAt.get() != 0 && ex != own) {
                    findings.violation(key + ": hidden by " + ex);
                } else if (thrownAt.get() == 0 && System.nanoTime() - deadline > 0) {
                    findings.violation(key + ": the body did not run: " + ex);
                    return;
                }
            } finally {
                process.network().forEach(FaultProxy::pass);
            }
        }
        if (System.nanoTime() - thrownAt.get() > SOON.toNanos()) {
            findings.violation(key + ": the body's exception was thrown after more than " + SOON);
        }
        requireFree(key, System.nanoTime());
    }

    private long requireFree(String key, long since) {
        LockHandle[] granted = new LockHandle[1];
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(SOON)
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .until(() -> {
                        granted[0] = elsewhere.tryLock(key).orElse(null);
                        return granted[0] != null;
                    });
        } catch (ConditionTimeoutException ex) {
            findings.violation(key + ": still there " + SOON + " after the network was healed");
            return Long.MIN_VALUE;
        }
        findings.recovered(Duration.ofNanos(System.nanoTime() - since));
        granted[0].close();
        return granted[0].fencingToken();
    }
}
