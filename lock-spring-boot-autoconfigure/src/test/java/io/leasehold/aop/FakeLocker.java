package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Locks in a map, without ttl: a lock is lost when the test says so, and nobody waits. */
final class FakeLocker implements Locker {

    private final String name;

    private final Map<String, FakeHandle> held = new ConcurrentHashMap<>();

    private final AtomicLong fences = new AtomicLong();

    final List<LockRequest> requests = new CopyOnWriteArrayList<>();

    final List<FakeHandle> granted = new CopyOnWriteArrayList<>();

    /** What the store throws instead of an answer, if anything. */
    volatile RuntimeException broken;

    /** What the store does before it answers. */
    volatile Runnable beforeAnswer = () -> {};

    /** What the asynchronous method answers, instead of at once. */
    volatile CompletableFuture<Optional<LockHandle>> pending;

    FakeLocker(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        requests.add(request);
        beforeAnswer.run();
        if (broken != null) {
            throw broken;
        }
        FakeHandle handle = new FakeHandle(this, request.key(), fences.incrementAndGet());
        if (held.putIfAbsent(request.key(), handle) != null) {
            return Optional.empty();
        }
        granted.add(handle);
        return Optional.of(handle);
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        if (pending != null) {
            requests.add(request);
            return pending;
        }
        try {
            return CompletableFuture.completedFuture(tryLock(request));
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    boolean isHeld(String key) {
        return held.containsKey(key);
    }

    int heldCount() {
        return held.size();
    }

    /** Takes the lock for somebody else. */
    LockHandle takenElsewhere(String key) {
        FakeHandle other = new FakeHandle(this, key, fences.incrementAndGet());
        held.put(key, other);
        return other;
    }

    /** Lets the holder of a key lose its lock. */
    void lose(String key) {
        FakeHandle handle = held.remove(key);
        handle.lose(LossReason.NOT_OWNER);
    }

    void free(FakeHandle handle) {
        held.remove(handle.key(), handle);
    }

    List<String> requestedKeys() {
        return requests.stream().map(LockRequest::key).toList();
    }

    List<Duration> requestedWaits() {
        List<Duration> waits = new ArrayList<>();
        requests.forEach(request -> waits.add(request.waitTime()));
        return waits;
    }
}
