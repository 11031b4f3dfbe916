package io.leasehold.engine;

import static io.leasehold.engine.HoldModel.require;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Callers that acquire the same lock while its holders release and lose it. No two callers hold it at the same time,
 * each holder has a fencing token of its own, and no waiter is forgotten.
 */
public class LocalQueueModel {

    private final AtomicInteger holders = new AtomicInteger();

    private final ModelledLocker modelled = new ModelledLocker(new Counter());

    private final List<CompletableFuture<Optional<LockHandle>>> asked = new CopyOnWriteArrayList<>();

    private final List<LockHandle> granted = new CopyOnWriteArrayList<>();

    private volatile boolean overlapped;

    @Operation
    public void acquire() {
        LockRequest request = LockRequest.of("it").withWaitTime(Duration.ofHours(1));
        CompletableFuture<Optional<LockHandle>> answer =
                modelled.locker.tryLockAsync(request).toCompletableFuture();
        asked.add(answer);
        answer.thenAccept(lock -> lock.ifPresent(this::hold));
    }

    @Operation
    public void release() {
        granted.stream().filter(LockHandle::isHeld).findFirst().ifPresent(LockHandle::releaseAsync);
    }

    @Operation
    public void lose() {
        modelled.locker.queues().all().stream()
                .map(LocalQueue::lease)
                .filter(lease -> lease != null && !lease.hasEnded())
                .forEach(lease -> lease.lose(LossReason.NOT_OWNER));
    }

    @Operation
    public void giveUp() {
        asked.stream().filter(answer -> !answer.isDone()).findFirst().ifPresent(answer -> answer.cancel(true));
    }

    /** Holds after all operations, in any order. */
    @Validate
    public void nothingHeldOrWaitingIsForgotten() {
        require(!overlapped, "held by two");
        Set<Long> fences = new HashSet<>();
        granted.forEach(lock -> require(fences.add(lock.fencingToken()), "the same fencing token twice"));
        boolean held = granted.stream().anyMatch(LockHandle::isHeld);
        boolean waiting = asked.stream().anyMatch(answer -> !answer.isDone());
        require(held || !waiting, "waits for a lock that is free");
        require(held || modelled.locker.queues().all().isEmpty(), "something is left");
    }

    private void hold(LockHandle lock) {
        granted.add(lock);
        if (holders.incrementAndGet() > 1) {
            overlapped = true;
        }
    }

    private final class Counter implements LockListener {

        @Override
        public void released(LockHandle handle, Duration held) {
            holders.decrementAndGet();
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            holders.decrementAndGet();
        }
    }
}
