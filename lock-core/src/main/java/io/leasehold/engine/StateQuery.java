package io.leasehold.engine;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.spi.LockId;

/** One question to the store about the state of a lock, answered within the command timeout. */
final class StateQuery {

    private final LocalQueues queues;

    private final String key;

    private final long timeoutNanos;

    StateQuery(LocalQueues queues, String key, long timeoutNanos) {
        this.queues = queues;
        this.key = key;
        this.timeoutNanos = timeoutNanos;
    }

    OffloadedFuture<LockState> send() {
        LockerState locker = queues.locker();
        LockId id = LockId.of(locker.settings().namespace(), key);
        return new StoreQuery<LockState>(locker, "the state of lock '" + key + "'", key, timeoutNanos)
                .send(
                        () -> locker.backend().describe(id),
                        state -> state instanceof Held held
                                ? StoreQuery.withPresentHolder(locker, held, queues.leaseOf(id))
                                : state);
    }
}
