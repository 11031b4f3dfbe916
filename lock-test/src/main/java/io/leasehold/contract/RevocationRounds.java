package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Forced releases of one lock by one process, at random, while another process acquires, renews and releases it. */
final class RevocationRounds {

    private static final int LEAST_HITS = 10;

    /** The time for further rounds, if the operator has revoked fewer leases. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final StoreClient holder;

    private final StoreClient operator;

    private final long seed;

    private final LockId id;

    private final AtomicInteger hits = new AtomicInteger();

    /** Orders answers to revocations and the sending of renewals. */
    private final AtomicLong order = new AtomicLong();

    private final Set<Long> perhapsRevoked = ConcurrentHashMap.newKeySet();

    private final Map<Long, Renewal> last = new HashMap<>();

    private final Random random;

    private int round;

    private long formerFence;

    /** How many acquisitions ended with an unknown outcome. */
    private int interrupted;

    private volatile boolean over;

    RevocationRounds(StoreClient holder, StoreClient operator, long seed) {
        this.holder = holder;
        this.operator = operator;
        this.seed = seed;
        this.random = new Random(seed);
        this.id = holder.id("rounds");
    }

    void run(int rounds) {
        CompletableFuture<Map<Long, Long>> operating = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                operating.complete(revoke());
            } catch (Throwable ex) {
                operating.completeExceptionally(ex);
            }
        });
        thread.start();
        try {
            for (int i = 0; i < rounds && !operating.isDone(); i++) {
                round();
            }
            await("leases that the operator has revoked, as describe() names them; seed " + seed)
                    .atMost(LONGEST)
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        round();
                        return operating.isDone() || hits.get() >= LEAST_HITS;
                    });
        } finally {
            over = true;
        }
        Map<Long, Long> revoked = operating.join();
        assertThat(interrupted)
                .as("acquisitions with an unknown outcome have met a revocation, seed %d", seed)
                .isLessThanOrEqualTo(revoked.size() + perhapsRevoked.size());
        last.forEach((fencingToken, renewal) -> {
            Long revokedAt = revoked.get(fencingToken);
            if (renewal.isDenied()) {
                assertThat(revokedAt != null || perhapsRevoked.contains(fencingToken))
                        .as("lease %d was lost by a revocation (%s), seed %d", fencingToken, renewal.answer(), seed)
                        .isTrue();
            } else if (renewal.answer() == RenewAnswer.RENEWED && revokedAt != null) {
                assertThat(renewal.sentAt())
                        .as("lease %d was renewed after its revocation, seed %d", fencingToken, seed)
                        .isLessThan(revokedAt);
            }
        });
    }

    private void round() {
        round++;
        Held held = grant();
        assertThat(held.firstFence()).as("round %d, seed %d", round, seed).isGreaterThan(formerFence);
        formerFence = held.firstFence();
        long named = fencingToken(holder.describe(id)).orElse(held.firstFence());
        for (int i = random.nextInt(4); i > 0; i--) {
            long sentAt = order.incrementAndGet();
            last.put(named, new Renewal(holder.renew(held, StoreClient.LONG), sentAt));
        }
        assertThat(holder.release(held))
                .as("a holder may release its lease, revoked or not; round %d, seed %d", round, seed)
                .isEqualTo(ReleaseAnswer.RELEASED);
    }

    /**
     * Acquires the lock. A revocation may arrive before a quorum of independent servers has the fencing token of a new
     * lease. The outcome of the acquisition is then unknown, and the store removes what it has left.
     */
    private Held grant() {
        AcquireCommand command = new AcquireCommand(id, holder.token(), StoreClient.LONG, 1, false);
        try {
            return holder.grant(command);
        } catch (AssertionError ex) {
            if (!(ex.getCause() instanceof BackendFailure failure && failure.effect() == Effect.UNKNOWN)) {
                throw ex;
            }
        }
        interrupted++;
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .pollInSameThread()
                .until(() -> holder.describe(id) instanceof LockState.Free);
        return grant();
    }

    /** The last fencing token of a grant, which names its lease. Independent servers may not agree on it yet. */
    private static OptionalLong fencingToken(LockState state) {
        return state instanceof LockState.Held held ? held.fencingToken() : OptionalLong.empty();
    }

    /** Returns when which lease was known to be revoked. */
    private Map<Long, Long> revoke() {
        Map<Long, Long> revoked = new HashMap<>();
        Random random = new Random(seed + 1);
        long former = 1;
        while (!over) {
            LockState state = operator.describe(id);
            if (state instanceof LockState.Held held
                    && held.kind() == Kind.HOLDER
                    && held.fencingToken().isPresent()) {
                long present = held.fencingToken().getAsLong();
                long named = random.nextInt(4) == 0 ? former : present;
                former = present;
                Outcome outcome = revoke(named);
                if (outcome == Outcome.REVOKED) {
                    revoked.putIfAbsent(named, order.incrementAndGet());
                    hits.incrementAndGet();
                } else if (outcome == null) {
                    perhapsRevoked.add(named);
                }
            }
        }
        return revoked;
    }

    /** Returns {@code null} if the store says that the outcome is unknown. */
    private @Nullable Outcome revoke(long fencingToken) {
        return operator.backend()
                .revoke(id, fencingToken)
                .handle((outcome, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause != null && !(cause instanceof BackendFailure that && that.effect() == Effect.UNKNOWN)) {
                        throw new AssertionError("the store answered with a failure", cause);
                    }
                    assertThat(outcome)
                            .as("a store that declares revocations supports them")
                            .isNotEqualTo(Outcome.UNSUPPORTED);
                    return outcome;
                })
                .toCompletableFuture()
                .join();
    }

    /** The last renewal of a lease. */
    private record Renewal(RenewAnswer answer, long sentAt) {

        /** Whether the store says that the lease is lost. A busy machine may also get no answer in time. */
        boolean isDenied() {
            return answer == RenewAnswer.NOT_OWNER || answer == RenewAnswer.REVOKED;
        }
    }
}
