package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * One held lock and all events that may end it, at the same time. It ends once, exactly the concerned parties are
 * notified once, it never becomes valid again, and no part of it is left.
 */
public class HoldModel {

    private final AtomicInteger releases = new AtomicInteger();

    private final AtomicInteger losses = new AtomicInteger();

    private final AtomicInteger confirmedReleases = new AtomicInteger();

    private final List<AtomicInteger> callbacks = new CopyOnWriteArrayList<>();

    private final ModelledLocker modelled = new ModelledLocker(new Counter());

    private final LockHandle lock = modelled.locker.tryLock("it").orElseThrow();

    private final Lease lease = modelled.lease();

    private volatile boolean seenEnded;

    private volatile boolean cameBack;

    @Operation
    public void release() {
        if (lock.release()) {
            confirmedReleases.incrementAndGet();
        }
    }

    @Operation
    public void theStoreConfirms() {
        LeaseValidity renewed = LeaseValidity.of(modelled.time.nanos(), modelled.time.wallMillis(), ModelledLocker.TTL);
        lease.answered(RenewAnswer.RENEWED, renewed);
    }

    @Operation
    public void theStoreDenies() {
        lease.answered(RenewAnswer.NOT_OWNER, lease.validity());
    }

    @Operation
    public void itsTimeEnds() {
        modelled.time.freeze(ModelledLocker.TTL);
        ask();
    }

    @Operation
    public void theEngineIsShutDown() {
        modelled.locker.releaseAll();
    }

    @Operation
    public void listen() {
        AtomicInteger told = new AtomicInteger();
        callbacks.add(told);
        lock.onLost(reason -> told.incrementAndGet());
    }

    @Operation
    public void ask() {
        boolean ended = seenEnded;
        if (lock.isHeld()) {
            cameBack |= ended;
        } else {
            seenEnded = true;
        }
    }

    /** Holds after all operations, in any order. */
    @Validate
    public void itEndedOnce() {
        require(releases.get() + losses.get() <= 1, "ended twice");
        require(confirmedReleases.get() <= releases.get(), "released and not told");
        require(!cameBack, "came back");
        require(confirmedReleases.get() == 0 || modelled.backend.released.size() == 1, "not released in the store");
        require(callbacks.stream().allMatch(told -> told.get() == losses.get()), "callbacks did not run once");
        boolean ended = releases.get() + losses.get() == 1;
        require(ended != lock.isHeld(), "an end that nobody was told, or a held lock that was reported as ended");
        require(ended == modelled.locker.queues().all().isEmpty(), "something is left");
    }

    static void require(boolean holds, String violation) {
        if (!holds) {
            throw new IllegalStateException(violation);
        }
    }

    private final class Counter implements LockListener {

        @Override
        public void released(LockHandle handle, Duration held) {
            releases.incrementAndGet();
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            losses.incrementAndGet();
        }
    }
}
