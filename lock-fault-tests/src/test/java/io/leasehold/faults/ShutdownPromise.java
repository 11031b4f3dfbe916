package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A shutdown leaves no lock in a store that answers, however distant the store is. During the shutdown, threads and
 * asynchronous flows acquire and release, and others wait. The ttl is so long that the end of a lease cannot free a
 * lock.
 */
final class ShutdownPromise {

    private static final Duration LONG_TTL = Duration.ofSeconds(120);

    private static final Duration SOON = Duration.ofSeconds(40);

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private static final int CALLERS = 4;

    private final BreakableStore store;

    private final FaultyProcess elsewhere;

    private final Findings findings;

    ShutdownPromise(BreakableStore store, FaultyProcess elsewhere, Findings findings) {
        this.store = store;
        this.elsewhere = elsewhere;
        this.findings = findings;
    }

    void check() {
        for (int roundTripMillis : new int[] {0, 10, 100}) {
            String prefix = "promise-shutdown-" + roundTripMillis + "ms-";
            try (FaultyProcess process = FaultyProcess.behindProxies(store, LONG_TTL, COMMAND_TIMEOUT)) {
                Duration oneWay = Duration.ofMillis(roundTripMillis / 2);
                if (!oneWay.isZero()) {
                    process.network().forEach(proxy -> proxy.delay(oneWay));
                }
                check(prefix, process);
            }
        }
    }

    private void check(String prefix, FaultyProcess process) {
        String waitedFor = prefix + "waited";
        LockHandle before = elsewhere.lock(waitedFor, SOON);
        AtomicBoolean over = new AtomicBoolean();
        List<String> keys = keys(prefix);
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            Locker locker = process.locker();
            Stream<CompletableFuture<Void>> threads = keys.subList(0, CALLERS).stream()
                    .map(key -> CompletableFuture.runAsync(() -> lockAgainAndAgain(locker, key, over), executor));
            Stream<CompletableFuture<Void>> flows = keys.subList(CALLERS, keys.size()).stream()
                    .map(key -> lockAgainAndAgainAsync(locker, key, over).toCompletableFuture());
            Stream<CompletableFuture<Void>> waiting =
                    Stream.generate(() -> waitFor(locker, waitedFor, executor)).limit(2);
            List<CompletableFuture<Void>> callers =
                    Stream.of(threads, flows, waiting).flatMap(each -> each).toList();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> process.locker().status().waiting() >= 2);
            process.shutdown();
            over.set(true);
            for (CompletableFuture<Void> caller : callers) {
                caller.get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (Exception ex) {
            findings.violation(prefix + ": " + ex);
        } finally {
            over.set(true);
            executor.shutdown();
        }
        keys.forEach(this::requireFree);
        before.close();
        requireFree(waitedFor);
    }

    private static List<String> keys(String prefix) {
        return IntStream.range(0, 2 * CALLERS).mapToObj(i -> prefix + i).toList();
    }

    private static void lockAgainAndAgain(Locker locker, String key, AtomicBoolean over) {
        try {
            while (!over.get()) {
                locker.tryLock(key).ifPresent(LockHandle::close);
            }
        } catch (LockBackendException closed) {
            return;
        }
    }

    private static CompletionStage<Void> lockAgainAndAgainAsync(Locker locker, String key, AtomicBoolean over) {
        return locker.tryLockAsync(LockRequest.of(key))
                .thenCompose(granted ->
                        granted.map(LockHandle::releaseAsync).orElse(CompletableFuture.completedFuture(false)))
                .handle((released, failure) -> failure == null && !over.get())
                .thenCompose(goesOn ->
                        goesOn ? lockAgainAndAgainAsync(locker, key, over) : CompletableFuture.completedFuture(null));
    }

    private static CompletableFuture<Void> waitFor(Locker locker, String key, ExecutorService executor) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        locker.tryLock(LockRequest.of(key).withWaitTime(SOON)).ifPresent(LockHandle::close);
                    } catch (LockBackendException closed) {
                        return;
                    }
                },
                executor);
    }

    private void requireFree(String key) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(SOON)
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .until(() -> {
                        Optional<LockHandle> granted = elsewhere.locker().tryLock(key);
                        granted.ifPresent(LockHandle::close);
                        return granted.isPresent();
                    });
        } catch (ConditionTimeoutException ex) {
            findings.violation(key + ": still there " + SOON + " after the shutdown of its process");
        }
    }
}
