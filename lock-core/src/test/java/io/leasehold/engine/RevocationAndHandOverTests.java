package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forced releases at random, while the threads of the same process hand the lock over to each other. */
@Timeout(180)
class RevocationAndHandOverTests {

    private static final int THREADS = 4;

    private static final int HOLDS = 10_000;

    private static final int LEAST_LOSSES = 10;

    private final long seed =
            Long.getLong("leasehold.seed", ThreadLocalRandom.current().nextLong());

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final Set<Long> lost = ConcurrentHashMap.newKeySet();

    /** The tokens that a forced release has named. The listener is notified of a loss some time after it. */
    private final Set<Long> named = ConcurrentHashMap.newKeySet();

    private final Set<Long> notNamed = ConcurrentHashMap.newKeySet();

    private final AtomicInteger handOvers = new AtomicInteger();

    private final LockEngine engine = new LockEngine(new LockListener() {
        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            handOvers.addAndGet(attempt.isHandedOver() ? 1 : 0);
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            if (reason == LossReason.REVOKED) {
                lost.add(handle.fencingToken());
                if (!named.contains(handle.fencingToken())) {
                    notNamed.add(handle.fencingToken());
                }
            }
        }
    });

    private final LeaseLocker locker = engine.locker(
            LockerSettings.of("deploy")
                    .withTtl(Duration.ofMillis(300))
                    .withWaitTime(Duration.ofMinutes(2))
                    .withForceRelease(true),
            "memory",
            new DistantStore());

    private final AtomicInteger holds = new AtomicInteger();

    private final AtomicLong greatest = new AtomicLong();

    private volatile long present;

    @AfterEach
    void close() {
        engine.close();
        quiet.close();
    }

    @Test
    void onlyTheHolderThatIsNamedLosesTheLock() {
        List<CompletableFuture<Void>> holders = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            holders.add(EngineInVirtualTime.onAThread(() -> {
                while (!isOver()) {
                    hold();
                }
                return null;
            }));
        }
        revokeUntilOver();
        holders.forEach(CompletableFuture::join);
        assertThat(notNamed).as("lost, but not named, seed %d", seed).isEmpty();
        assertThat(handOvers).as("hand-overs, seed %d", seed).hasValueGreaterThan(100);
    }

    private boolean isOver() {
        return holds.get() >= HOLDS && lost.size() >= LEAST_LOSSES;
    }

    private void hold() {
        try (LockHandle handle = locker.lock("a")) {
            long before = greatest.get();
            if (handle.isHeld()) {
                assertThat(handle.fencingToken())
                        .as("a later token, seed %d", seed)
                        .isGreaterThan(before);
            }
            greatest.accumulateAndGet(handle.fencingToken(), Math::max);
            present = handle.fencingToken();
            if (ThreadLocalRandom.current().nextInt(20) == 0) {
                LockSupport.parkNanos(500_000);
            }
        }
        holds.incrementAndGet();
    }

    private void revokeUntilOver() {
        Random random = new Random(seed);
        long former = 1;
        while (!isOver()) {
            long current = Math.max(1, present);
            long token = random.nextInt(4) == 0 ? former : current;
            former = current;
            named.add(token);
            locker.forceRelease("a", token, "a test")
                    .exceptionally(unknown -> null)
                    .toCompletableFuture()
                    .join();
            LockSupport.parkNanos(random.nextInt(2_000_000));
        }
    }

    /** Answers a revocation later, so that holders release the lock in the meantime. */
    private static final class DistantStore extends DelegatingLockBackend {

        private static final Executor LATER = CompletableFuture.delayedExecutor(300, TimeUnit.MICROSECONDS);

        DistantStore() {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return super.revoke(id, fencingToken).thenApplyAsync(outcome -> outcome, LATER);
        }
    }
}
