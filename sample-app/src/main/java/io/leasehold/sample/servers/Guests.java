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
 * The instances that use the servers. When the last one leaves in order, the house closes at once; when it was killed,
 * or none has come yet, the house waits for the next for a while.
 */
final class Guests implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private final SortedSet<Integer> places = new TreeSet<>();

    private final Duration linger;

    private final Runnable whenClosed;

    private @Nullable Future<?> closing;

    private boolean closed;

    Guests(Duration linger, Runnable whenClosed) {
        this.linger = linger;
        this.whenClosed = whenClosed;
        closeAfter(linger);
    }

    /** Gives an instance the lowest place that is free; none if the house is closed. */
    synchronized OptionalInt arrive() {
        if (closed) {
            return OptionalInt.empty();
        }
        int place = 0;
        while (!places.add(place)) {
            place++;
        }
        return OptionalInt.of(place);
    }

    synchronized void leave(int place, boolean inOrder) {
        places.remove(place);
        if (places.isEmpty()) {
            closeAfter(inOrder ? Duration.ZERO : linger);
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
            if (closed || !places.isEmpty()) {
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
