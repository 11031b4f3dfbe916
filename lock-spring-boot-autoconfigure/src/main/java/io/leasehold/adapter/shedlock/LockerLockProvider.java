package io.leasehold.adapter.shedlock;

import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks, taken from a {@link Locker}. The name of the lock is the key.
 *
 * <p>{@code lockAtMostFor} limits how long a job keeps its lock; it is not the ttl. The lock is renewed while the job
 * runs. The job of a killed process is therefore free after the ttl, and not after {@code lockAtMostFor}. A lock that
 * reaches {@code lockAtMostFor} is released while its job still runs, and a warning is logged. {@code lockAtLeastFor}
 * is the minimum hold time.
 *
 * <p>A lock that is busy is an empty result. If the store fails, {@link io.leasehold.LockBackendException} is thrown
 * and ShedLock does not run the job. Locks do not take part in Spring's transactions. This class is thread-safe.
 */
public final class LockerLockProvider implements ExtensibleLockProvider, AutoCloseable {

    /** The ttl if none is given. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    private final Locker locker;

    private final Duration ttl;

    private final Scheduler timer;

    /**
     * Creates a provider with a ttl of 30 seconds.
     *
     * @param locker grants the locks
     */
    public LockerLockProvider(Locker locker) {
        this(locker, DEFAULT_TTL);
    }

    /**
     * Creates a provider.
     *
     * @param locker grants the locks
     * @param ttl how long the job of a killed process stays locked; a shorter {@code lockAtMostFor} replaces it
     */
    public LockerLockProvider(Locker locker, Duration ttl) {
        this(locker, ttl, Scheduler.daemon("leasehold-shedlock"));
    }

    LockerLockProvider(Locker locker, Duration ttl, Scheduler timer) {
        this.locker = locker.withoutTransactions();
        this.ttl = ttl;
        this.timer = timer;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        LockRequest request = LockRequest.of(configuration.getName())
                .withWaitTime(Duration.ZERO)
                .withTtl(atMost.compareTo(ttl) < 0 ? atMost : ttl)
                .withAutoRenew(true)
                .withMinHoldTime(configuration.getLockAtLeastFor());
        return locker.tryLock(request).map(handle -> new HeldJob(handle, timer, atMost).asLock(configuration));
    }

    /** Stops the timer. Locks that are held then end by release, or when the application stops. */
    @Override
    public void close() {
        timer.close();
    }
}
