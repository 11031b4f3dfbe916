package io.leasehold.backend.redis;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A few connections for callers who wait for their answers anyway. One more is opened when callers often find none, in
 * the background, and those that nobody has needed for a while are closed; who finds none goes by the shared connection.
 * That is quicker for a crowd: when there may be no more of these, all go there for a while. All are closed when the
 * shared one breaks, since they may lead elsewhere than it does next.
 */
final class DirectConnections implements AutoCloseable {

    private static final int MISSED_FOR_ONE_MORE = 32;

    private static final int CALLS_OF_A_CROWD = 1_000;

    private static final int MISSED_AFTER_FAILURE = -1_000;

    private static final long LONGEST_IDLE_NANOS = 5_000_000_000L;

    private final int most;

    private final Callable<DirectConnection> open;

    private final LongSupplier nanoTime;

    private final ConcurrentLinkedDeque<DirectConnection> idle = new ConcurrentLinkedDeque<>();

    private final Set<DirectConnection> all = ConcurrentHashMap.newKeySet();

    private final AtomicInteger missed = new AtomicInteger();

    private final AtomicInteger crowd = new AtomicInteger();

    private final AtomicInteger era = new AtomicInteger();

    private final AtomicBoolean opening = new AtomicBoolean();

    private volatile boolean closed;

    /**
     * None yet.
     *
     * @param most how many there may be
     * @param open opens one, logged in to the server that the shared connection leads to
     * @param nanoTime a monotonic clock
     */
    DirectConnections(int most, Callable<DirectConnection> open, LongSupplier nanoTime) {
        this.most = most;
        this.open = open;
        this.nanoTime = nanoTime;
    }

    static DirectConnections none() {
        return new DirectConnections(
                0,
                () -> {
                    throw new IllegalStateException("there are no direct connections");
                },
                () -> 0);
    }

    /** A connection for one exchange of a call that may hold its thread; {@code null} if there is none. */
    @Nullable
    Wire take(QuickCall<?> call) {
        if (most == 0
                || call.patience().isZero()
                || Thread.currentThread().isInterrupted()
                || crowd.get() > 0 && crowd.getAndDecrement() > 0) {
            return null;
        }
        DirectConnection connection = idle.pollFirst();
        if (connection == null) {
            miss();
            return null;
        }
        if (isStale(connection)) {
            discard(connection);
            return null;
        }
        return new DirectWire(connection, this, call.patience(), call.endsWithInterrupt());
    }

    void giveBack(DirectConnection connection) {
        connection.usedAt(nanoTime.getAsLong());
        if (all.contains(connection)) {
            idle.addFirst(connection);
        }
        DirectConnection oldest = idle.peekLast();
        if (oldest != null && isStale(oldest) && idle.removeLastOccurrence(oldest)) {
            discard(oldest);
        }
    }

    void discard(DirectConnection connection) {
        all.remove(connection);
        connection.close();
    }

    /** Closes all, also those that are in use, whose callers ask in another way then. */
    void sharedConnectionBroke() {
        era.incrementAndGet();
        idle.clear();
        for (Iterator<DirectConnection> each = all.iterator(); each.hasNext(); ) {
            DirectConnection connection = each.next();
            each.remove();
            connection.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        sharedConnectionBroke();
    }

    private boolean isStale(DirectConnection connection) {
        return nanoTime.getAsLong() - connection.lastUsed() > LONGEST_IDLE_NANOS;
    }

    private void miss() {
        if (all.size() >= most) {
            lookForACrowd();
        } else if (missed.incrementAndGet() >= MISSED_FOR_ONE_MORE && opening.compareAndSet(false, true)) {
            Thread thread = new Thread(this::openOne, "lock-redis-direct");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** One that is just being opened, or was given back meanwhile, makes no crowd. */
    private void lookForACrowd() {
        if (!opening.get() && idle.isEmpty()) {
            crowd.set(CALLS_OF_A_CROWD);
        }
    }

    private void openOne() {
        missed.set(0);
        int before = era.get();
        try {
            DirectConnection connection = open.call();
            all.add(connection);
            if (era.get() != before || closed) {
                discard(connection);
            } else {
                giveBack(connection);
            }
        } catch (Exception ex) {
            missed.set(MISSED_AFTER_FAILURE);
        } finally {
            opening.set(false);
        }
    }
}
