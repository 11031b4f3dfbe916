package io.leasehold.etcd;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lease that etcd granted to this backend, and how long it certainly runs.
 *
 * <p>etcd counts in seconds. The requested time is the ttl plus half a second, rounded up. The lease can therefore be
 * reused shortly after it was granted or kept alive, and still runs for the whole ttl.
 */
final class EtcdLease {

    private static final long SLACK_MILLIS = 500;

    private final long id;

    private final long seconds;

    private final AtomicLong aliveSince;

    /**
     * Creates the record of a lease.
     *
     * @param id etcd's id of the lease
     * @param seconds the time for which it was granted
     * @param aliveSince when the request that granted it was sent, in nanoseconds of the backend's clock
     */
    EtcdLease(long id, long seconds, long aliveSince) {
        this.id = id;
        this.seconds = seconds;
        this.aliveSince = new AtomicLong(aliveSince);
    }

    /** The seconds to request for a lease that serves a ttl. */
    static long secondsFor(Duration ttl) {
        return roundUp(ttl.plusMillis(SLACK_MILLIS));
    }

    /** A duration rounded up to whole seconds. */
    static long roundUp(Duration duration) {
        return duration.getNano() == 0 ? duration.getSeconds() : duration.getSeconds() + 1;
    }

    long id() {
        return id;
    }

    long seconds() {
        return seconds;
    }

    /** Records that etcd has kept the lease alive on a request that was sent at the given time. */
    void keptAlive(long sentAt) {
        // Answers may be recorded out of order, so only a later request replaces the time.
        aliveSince.accumulateAndGet(sentAt, (known, sent) -> sent - known > 0 ? sent : known);
    }

    /** Whether the lease certainly runs for a ttl from now on. */
    boolean covers(Duration ttl, long now) {
        return remaining(now).compareTo(ttl) >= 0;
    }

    /** How long the lease certainly runs; negative if it may have expired. */
    Duration remaining(long now) {
        return Duration.ofSeconds(seconds).minusNanos(now - aliveSince.get());
    }
}
