package io.leasehold.sample.servers;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The instances that are connected to the server host. When the last one ends normally, the host ends immediately. When
 * it was killed, or none has connected yet, the host waits a while for the next one.
 */
final class ClientRegistry implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private final SortedSet<Integer> indexes = new TreeSet<>();

    private final Duration linger;

    private final Runnable whenClosed;

    private @Nullable Future<?> closing;

    private boolean closed;

    ClientRegistry(Duration linger, Runnable whenClosed) {
        this.linger = linger;
        this.whenClosed = whenClosed;
        closeAfter(linger);
    }

    /** Gives an instance the lowest free index; none if the host is about to end. */
    synchronized OptionalInt add() {
        if (closed) {
            return OptionalInt.empty();
        }
        int index = 0;
        while (!indexes.add(index)) {
            index++;
        }
        return OptionalInt.of(index);
    }

    synchronized void remove(int index, boolean normally) {
        indexes.remove(index);
        if (indexes.isEmpty()) {
            closeAfter(normally ? Duration.ZERO : linger);
        }
    }

    private synchronized void closeAfter(Duration delay) {
        if (closing != null) {
            closing.cancel(false);
        }
        closing = timer.schedule(this::closeIfEmpty, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void closeIfEmpty() {
        synchronized (this) {
            if (closed || !indexes.isEmpty()) {
                return;
            }
            closed = true;
        }
        whenClosed.run();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
