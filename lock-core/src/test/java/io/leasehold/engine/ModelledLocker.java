package io.leasehold.engine;

import io.leasehold.LockListener;
import java.time.Duration;

/** A locker for model checking. Tasks of the engine's own threads run on the calling thread. */
final class ModelledLocker {

    static final Duration TTL = Duration.ofSeconds(30);

    final VirtualTime time = new VirtualTime();

    final ScriptedBackend backend = new ScriptedBackend();

    final LockEngine engine;

    final LeaseLocker locker;

    ModelledLocker(LockListener listener) {
        engine = time.engine(listener);
        locker = engine.locker(LockerSettings.of("model").withTtl(TTL), "scripted", backend);
    }

    Lease lease() {
        return locker.queues().all().stream().map(LocalQueue::lease).findFirst().orElseThrow();
    }
}
