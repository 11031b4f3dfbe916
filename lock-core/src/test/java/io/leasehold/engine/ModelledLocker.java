package io.leasehold.engine;

import io.leasehold.LockListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A locker for model checking: what would run on threads of the engine's own runs on the calling thread. */
final class ModelledLocker {

    static final Duration TTL = Duration.ofSeconds(30);

    final VirtualTime time = new VirtualTime();

    final ScriptedBackend backend = new ScriptedBackend();

    final LeaseLocker locker;

    ModelledLocker(LockListener listener) {
        List<LeaseLocker> lockers = new CopyOnWriteArrayList<>();
        EngineParts parts = new EngineParts(
                listener,
                time,
                time,
                new TokenSource(),
                new LossCallbacks(new CallingThread()),
                Runnable::run,
                new Reaper(time, time),
                new LeaseWatchdog(time, time, lockers));
        locker = new LeaseLocker(LockerSettings.of("model").withTtl(TTL), "scripted", backend, parts);
        lockers.add(locker);
    }

    Lease lease() {
        return locker.lines().values().stream()
                .map(LocalLine::lease)
                .findFirst()
                .orElseThrow();
    }

    private static final class CallingThread extends AbstractExecutorService {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
