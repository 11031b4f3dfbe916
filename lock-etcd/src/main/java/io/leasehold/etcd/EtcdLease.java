package io.leasehold.etcd;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lease that etcd granted to this backend, and how long it surely runs.
 *
 * <p>etcd counts in seconds. A lease is asked for half a second more than the ttl that it has to serve, rounded up, so
 * that it can be used again shortly after it was granted or kept alive and still run for the whole ttl.
 */
final class EtcdLease {

    private static final long SLACK_MILLIS = 500;

    private final long id;

    private final long seconds;

    private final AtomicLong aliveSince;

    /**
     * Creates the record of a lease.
     *
     * @param id what etcd calls it
     * @param seconds what it was granted for
     * @param aliveSince when, in nanoseconds of the backend's clock, the request was sent that granted it
     */
    EtcdLease(long id, long seconds, long aliveSince) {
        this.id = id;
        this.seconds = seconds;
        this.aliveSince = new AtomicLong(aliveSince);
    }

    /** The seconds to ask for, so that a lease serves a ttl. */
    static long secondsFor(Duration ttl) {
        return roundUp(ttl.plusMillis(SLACK_MILLIS));
    }

    /** The whole seconds that are not shorter than a duration. */
    static long roundUp(Duration duration) {
        return duration.getNano() == 0 ? duration.getSeconds() : duration.getSeconds() + 1;
    }

    long id() {
        return id;
    }

    long seconds() {
        return seconds;
    }

    /** Notes that etcd has kept the lease alive on a request that was sent at a time. */
    void keptAlive(long sentAt) {
        aliveSince.accumulateAndGet(sentAt, (known, sent) -> sent - known > 0 ? sent : known);
    }

    /** Whether the lease surely runs for a ttl from now on. */
    boolean covers(Duration ttl, long now) {
        return remaining(now).compareTo(ttl) >= 0;
    }

    /** How long the lease surely runs; negative if it may have expired. */
    Duration remaining(long now) {
        return Duration.ofSeconds(seconds).minusNanos(now - aliveSince.get());
    }
}
