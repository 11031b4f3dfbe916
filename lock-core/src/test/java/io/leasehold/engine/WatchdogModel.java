package io.leasehold.engine;

import static io.leasehold.engine.HoldModel.require;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Locks that are acquired and released while the watchdog runs. It never ignores a held lock, and it runs when a lease
 * is due.
 */
public class WatchdogModel {

    private final ModelledLocker modelled = new ModelledLocker(new LockListener() {});

    private final AtomicInteger keys = new AtomicInteger();

    private final List<LockHandle> held = new CopyOnWriteArrayList<>();

    @Operation
    public void acquire() {
        modelled.locker.tryLock("it-" + keys.incrementAndGet()).ifPresent(held::add);
    }

    @Operation
    public void release() {
        held.stream().filter(LockHandle::isHeld).findFirst().ifPresent(LockHandle::close);
    }

    @Operation(nonParallelGroup = "time")
    public void timePasses() {
        modelled.time.pass(Duration.ofSeconds(10));
    }

    @Operation
    public void somethingSeemsWrong() {
        modelled.locker.state().resources().watchdog().hurry();
    }

    @Operation
    public void aRevocationIsHinted() {
        modelled.locker.state().resources().watchdog().revocationHinted(1);
    }

    /** Holds after all operations, in any order. */
    @Validate
    public void nothingHeldOrWaitingIsForgotten() {
        long next = modelled.time.nextAt();
        long now = modelled.time.nanos();
        for (LocalQueue line : modelled.locker.queues().all()) {
            Lease lease = line.lease();
            require(lease != null && !lease.hasEnded(), "something is left");
            require(lease == null || next <= Math.max(lease.dueAt(), now), "the watchdog will not check in time");
        }
        require(
                held.stream().filter(LockHandle::isHeld).count()
                        == modelled.locker.queues().all().size(),
                "a lock has no lease");
    }
}
