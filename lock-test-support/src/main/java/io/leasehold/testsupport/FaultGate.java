package io.leasehold.testsupport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Decides when each chunk of bytes may pass. All connections of a {@link FaultProxy} share one gate. */
final class FaultGate {

    private final AtomicInteger lostReplies = new AtomicInteger();

    private final AtomicInteger held = new AtomicInteger();

    // not a monitor: its timed wait rounds up to a millisecond
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private FaultMode mode = FaultMode.PASS;

    private long delayNanos;

    private boolean onlyOnce;

    private @Nullable FaultMode insideNextReply;

    FaultMode mode() {
        lock.lock();
        try {
            return mode;
        } finally {
            lock.unlock();
        }
    }

    void set(FaultMode mode, Duration delay) {
        lock.lock();
        try {
            this.mode = mode;
            this.delayNanos = delay.toNanos();
            this.onlyOnce = false;
            this.insideNextReply = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void loseNextReply() {
        lock.lock();
        try {
            set(FaultMode.LOSE_REPLY, Duration.ZERO);
            onlyOnce = true;
        } finally {
            lock.unlock();
        }
    }

    void strikeInsideNextReply(FaultMode then) {
        lock.lock();
        try {
            set(FaultMode.PASS, Duration.ZERO);
            insideNextReply = then;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns how many bytes of a chunk still pass before the mode changes inside the chunk; 0 if the mode does not
     * change.
     */
    int passesBeforeStrike(Chunk chunk) {
        lock.lock();
        try {
            FaultMode then = insideNextReply;
            if (then == null || !chunk.isReply() || chunk.bytes().length < 2) {
                return 0;
            }
            set(then, Duration.ZERO);
            return chunk.bytes().length / 2;
        } finally {
            lock.unlock();
        }
    }

    int lostReplies() {
        return lostReplies.get();
    }

    int held() {
        return held.get();
    }

    /**
     * Waits until a chunk may pass.
     *
     * @return false if the chunk must not pass; its connection has to be cut
     */
    boolean admit(Chunk chunk) throws InterruptedException {
        boolean counted = false;
        lock.lock();
        try {
            while (true) {
                if (mode == FaultMode.RESET || mode == FaultMode.REFUSE || loses(chunk)) {
                    return false;
                }
                long wait = waitNanos(chunk);
                if (wait <= 0) {
                    return true;
                }
                if (!counted) {
                    counted = true;
                    held.incrementAndGet();
                }
                changed.awaitNanos(wait);
            }
        } finally {
            lock.unlock();
            if (counted) {
                held.decrementAndGet();
            }
        }
    }

    private boolean loses(Chunk chunk) {
        if (mode != FaultMode.LOSE_REPLY || !chunk.isReply() || chunk.isEnd()) {
            return false;
        }
        lostReplies.incrementAndGet();
        if (onlyOnce) {
            mode = FaultMode.PASS;
            changed.signalAll();
        }
        return true;
    }

    private long waitNanos(Chunk chunk) {
        return switch (mode) {
            case STALL -> Long.MAX_VALUE;
            case STALL_REQUESTS -> chunk.isReply() ? 0 : Long.MAX_VALUE;
            case STALL_REPLIES -> chunk.isReply() ? Long.MAX_VALUE : 0;
            case DELAY -> chunk.arrivedNanos() + delayNanos - System.nanoTime();
            case PASS, LOSE_REPLY, RESET, REFUSE -> 0;
        };
    }
}
