package io.leasehold.faults;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Promised times, each named by its method. All of them are measured with one clock. */
final class PromisedTimes {

    private static final Duration SOON = Duration.ofSeconds(40);

    /** The end of such a lease cannot free a lock after a shutdown. */
    private static final Duration LONG_TTL = Duration.ofSeconds(120);

    private static final Duration AFTER_SHUTDOWN = Duration.ofSeconds(1);

    private final BreakableStore store;

    private final FaultyProcess elsewhere;

    private final Findings findings;

    PromisedTimes(BreakableStore store, FaultyProcess rival, Findings findings) {
        this.store = store;
        this.elsewhere = rival;
        this.findings = findings;
    }

    void check() {
        try (FaultyProcess process = FaultyProcess.behindProxies(store)) {
            aHolderInAPartitionIsNotifiedBeforeTheNextGrant("promise-partition", process);
            aReleaseInAnOutageFreesTheLockWithinTtlAndASecond("promise-outage", process);
        }
        try (FaultyProcess process = FaultyProcess.behindProxies(store, LONG_TTL)) {
            aShutdownFreesTheLockWithinASecond("promise-shutdown", process);
        }
    }

    private void aHolderInAPartitionIsNotifiedBeforeTheNextGrant(String key, FaultyProcess process) {
        LockHandle handle = process.lock(key, SOON);
        CompletableFuture<Long> told = new CompletableFuture<>();
        handle.onLost(reason -> told.complete(System.nanoTime()));
        process.network().forEach(proxy -> proxy.set(FaultMode.STALL));
        try {
            LockHandle next = elsewhere.lock(key, SOON);
            long grantedAt = System.nanoTime();
            if (handle.isHeld()) {
                findings.violation(key + ": held by two");
            }
            findings.requireNotifiedBefore(grantedAt, told.get(SOON.toSeconds(), TimeUnit.SECONDS), key);
            next.close();
        } catch (Exception ex) {
            findings.violation(key + ": " + ex);
        } finally {
            process.network().forEach(FaultProxy::pass);
        }
    }

    private void aReleaseInAnOutageFreesTheLockWithinTtlAndASecond(String key, FaultyProcess process) {
        LockHandle handle = process.lock(key, SOON);
        process.network().forEach(proxy -> proxy.set(FaultMode.STALL));
        try {
            long releasedAt = System.nanoTime();
            if (handle.release()) {
                findings.violation(key + ": told that the lock was released, and the store cannot have heard of it");
            }
            LockHandle next = elsewhere.lock(key, SOON);
            findings.freeAfterOutage(releasedAt, store.recovery(), key);
            next.close();
        } catch (RuntimeException ex) {
            findings.violation(key + ": " + ex);
        } finally {
            process.network().forEach(FaultProxy::pass);
        }
    }

    private void aShutdownFreesTheLockWithinASecond(String key, FaultyProcess process) {
        process.lock(key, SOON);
        CompletableFuture<Optional<LockHandle>> granted = elsewhere
                .locker()
                .tryLockAsync(LockRequest.of(key).withWaitTime(SOON))
                .toCompletableFuture();
        try {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> elsewhere.locker().status().waiting() > 0);
            long shutDownAt = System.nanoTime();
            process.shutdown();
            LockHandle next =
                    granted.get(SOON.toSeconds() * 2, TimeUnit.SECONDS).orElseThrow();
            findings.freeAfterShutdown(shutDownAt, AFTER_SHUTDOWN, key);
            next.close();
        } catch (Exception ex) {
            findings.violation(key + ": " + ex);
        }
    }
}
