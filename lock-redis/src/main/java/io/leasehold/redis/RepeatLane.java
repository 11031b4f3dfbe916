package io.leasehold.redis;

import static java.lang.Boolean.FALSE;
import static java.lang.Boolean.TRUE;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes and gives back locks whose fencing counter is known, since this process was the last to be granted them. Fencing
 * tokens rise whatever is known, for the counter only ever goes up. What is known is for a server that has lost its last
 * writes: the counter has to be what it was here, and not far behind the server's clock, or a script looks after it. It
 * is forgotten with the connection; where a proxy hides such a loss, tokens rise if it lasts longer than 0.2 s.
 */
final class RepeatLane {

    private static final Duration LONGEST_ANSWER = Duration.ofMillis(50);

    private static final int MOST_UNDER_WAY = 12;

    private final RecentlyBusy busy;

    private final KnownFences fences;

    private final LongSupplier nanoTime;

    private final AtomicInteger underWay = new AtomicInteger();

    private volatile @Nullable Long refusedAt;

    private volatile boolean unsettled;

    RepeatLane(RecentlyBusy busy, KnownFences fences, LongSupplier nanoTime) {
        this.busy = busy;
        this.fences = fences;
        this.nanoTime = nanoTime;
    }

    /** Remembers what a script has granted, if it answered soon, and if Redis did not refuse plain commands just now. */
    void granted(QuickAcquire call, long first, long clock) {
        long now = nanoTime.getAsLong();
        Long refused = refusedAt;
        boolean isRefused = refused != null && now - refused < KnownFence.LIFETIME.toNanos();
        if (!isRefused && now - call.begun() < LONGEST_ANSWER.toNanos()) {
            fences.learn(KnownFence.granted(call.id(), first + call.fences() - 1, clock, now), call.era());
        }
    }

    /** Whether so few are under way that one more does not hold them up; many are quicker in one script. */
    boolean hasRoom() {
        return underWay.get() < MOST_UNDER_WAY;
    }

    /** Whether a lock may ever have been taken here without a number of its own. */
    boolean isUnsettled() {
        return unsettled;
    }

    void givenBack(QuickRelease call) {
        fences.givenBack(call.id());
    }

    void acquire(StatefulRedisConnection<byte[], byte[]> connection, QuickAcquire call, KnownFence known) {
        CountedAcquire sent = CountedAcquire.of(call);
        underWay.incrementAndGet();
        sent.whenComplete((counter, failure) -> {
            underWay.decrementAndGet();
            if (failure == null && TRUE.equals(sent.hasTaken()) && isAsKnown(call, known, counter)) {
                call.answered(counter - call.fences() + 1);
            } else {
                fences.replace(known, null);
                startOver(call, sent.hasTaken(), failure);
            }
        });
        call.goesBy(sent);
        sent.send(connection);
    }

    void release(StatefulRedisConnection<byte[], byte[]> connection, QuickRelease call) {
        underWay.incrementAndGet();
        release(connection, call, UnwantedRelease.of(call));
    }

    private void release(StatefulRedisConnection<byte[], byte[]> connection, QuickRelease call, UnwantedRelease sent) {
        sent.whenComplete((answer, failure) -> {
            if (failure != null && RedisErrors.isUnknownScript(failure) && !sent.isBySource()) {
                release(connection, call, sent.bySource());
                return;
            }
            underWay.decrementAndGet();
            if (failure != null) {
                call.failed(failure);
            } else if (answer == 0) {
                busy.found(call.id());
                call.takeLongWay();
            } else {
                givenBack(call);
                call.answered(answer);
            }
        });
        call.goesBy(sent);
        sent.send(connection);
    }

    private boolean isAsKnown(QuickAcquire call, KnownFence known, long counter) {
        KnownFence raised = known.raised(call.fences());
        return counter == raised.last()
                && nanoTime.getAsLong() - call.begun() < LONGEST_ANSWER.toNanos()
                && fences.replace(known, raised);
    }

    private void startOver(QuickAcquire call, @Nullable Boolean taken, @Nullable Throwable failure) {
        if (failure != null && RedisErrors.isNotPermitted(failure)) {
            refusedAt = nanoTime.getAsLong();
        }
        if (!FALSE.equals(taken)) {
            unsettled = true;
        }
        if (taken == null && failure != null) {
            call.failed(failure);
        } else if (TRUE.equals(taken)) {
            call.giveBackAndTakeLongWay();
        } else {
            busy.found(call.id());
            call.takeLongWay();
        }
    }
}
