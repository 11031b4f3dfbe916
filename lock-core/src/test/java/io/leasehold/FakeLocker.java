package io.leasehold;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A locker that grants every request, unless a test has queued other results. The test kit, which has one with an engine,
 * depends on this module.
 */
class FakeLocker implements Locker {

    private final Deque<Supplier<Optional<LockHandle>>> answers = new ArrayDeque<>();

    private final List<FakeHandle> granted = new ArrayList<>();

    private final List<LockRequest> requests = new ArrayList<>();

    FakeLocker busyNext() {
        answers.add(Optional::empty);
        return this;
    }

    FakeLocker interruptNext() {
        answers.add(() -> {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(name(), "k");
        });
        return this;
    }

    /** Grants a lock that is lost before the caller has it. */
    FakeLocker loseNext() {
        answers.add(() -> {
            FakeHandle handle = new FakeHandle(name(), "k");
            handle.lose(LossReason.SHUTDOWN);
            return Optional.of(handle);
        });
        return this;
    }

    List<FakeHandle> granted() {
        return granted;
    }

    List<LockRequest> requests() {
        return requests;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        requests.add(request);
        Supplier<Optional<LockHandle>> answer = answers.poll();
        if (answer != null) {
            return answer.get();
        }
        FakeHandle handle = new FakeHandle(name(), request.key());
        granted.add(handle);
        return Optional.of(handle);
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        throw new AssertionError("not expected");
    }
}
