package io.leasehold.testsupport;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Decides when each chunk of bytes may pass. All connections of a {@link FaultProxy} share one gate. */
final class FaultGate {

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicInteger lostReplies = new AtomicInteger();

    private final AtomicInteger held = new AtomicInteger();

    private FaultMode mode = FaultMode.PASS;

    private long delayNanos;

    private boolean onlyOnce;

    private @Nullable FaultMode insideNextReply;

    synchronized FaultMode mode() {
        return mode;
    }

    synchronized void set(FaultMode mode, Duration delay) {
        this.mode = mode;
        this.delayNanos = delay.toNanos();
        this.onlyOnce = false;
        this.insideNextReply = null;
        notifyAll();
    }

    synchronized void loseNextReply() {
        set(FaultMode.LOSE_REPLY, Duration.ZERO);
        onlyOnce = true;
    }

    synchronized void strikeInsideNextReply(FaultMode then) {
        set(FaultMode.PASS, Duration.ZERO);
        insideNextReply = then;
    }

    /**
     * Returns how many bytes of a chunk still pass before the mode changes inside the chunk; 0 if the mode does not
     * change.
     */
    synchronized int passesBeforeStrike(Chunk chunk) {
        FaultMode then = insideNextReply;
        if (then == null || !chunk.isReply() || chunk.bytes().length < 2) {
            return 0;
        }
        set(then, Duration.ZERO);
        return chunk.bytes().length / 2;
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
        try {
            while (true) {
                long wait;
                synchronized (this) {
                    if (mode == FaultMode.RESET || mode == FaultMode.REFUSE || loses(chunk)) {
                        return false;
                    }
                    wait = waitNanos(chunk);
                    if (wait <= 0) {
                        return true;
                    }
                    if (!counted) {
                        counted = true;
                        held.incrementAndGet();
                    }
                    if (wait >= MILLISECOND) {
                        wait(TimeUnit.NANOSECONDS.toMillis(wait));
                        continue;
                    }
                }
                // the timed wait of a monitor rounds up to a millisecond
                LockSupport.parkNanos(wait);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
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
            notifyAll();
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
