package io.leasehold.autoconfigure.locker;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.locker.DelegatingLockHandle;
import io.leasehold.locker.DelegatingLocker;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports locks that no code can release any more, because their handles became unreachable while they were held. The
 * locks stay held and are renewed as before: the work that they protect may still run.
 */
final class LeakDetection {

    private static final Logger log = LoggerFactory.getLogger(LeakDetection.class);

    /** Its thread ends after the detection and all of its handles became unreachable. */
    private final @Nullable Cleaner cleaner;

    LeakDetection(boolean enabled) {
        this.cleaner = enabled ? Cleaner.create() : null;
    }

    /** The locker with detection, or the locker itself if detection is not enabled. */
    Locker around(Locker locker) {
        return cleaner == null ? locker : new Detecting(locker, cleaner);
    }

    private static final class Detecting extends DelegatingLocker {

        private final Cleaner cleaner;

        Detecting(Locker delegate, Cleaner cleaner) {
            super(delegate);
            this.cleaner = cleaner;
        }

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            return super.tryLock(request).map(this::watch);
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return decorated(super.tryLockAsync(request), this::watch);
        }

        private LockHandle watch(LockHandle handle) {
            Leak leak = new Leak(handle, new Throwable("acquired here"));
            return new WatchedHandle(handle, leak, cleaner);
        }
    }

    /** What is reported of a lock. Does not refer to the watched handle, which could not become unreachable then. */
    private static final class Leak implements Runnable {

        private final LockHandle handle;

        private final Throwable acquired;

        private volatile boolean released;

        Leak(LockHandle handle, Throwable acquired) {
            this.handle = handle;
            this.acquired = acquired;
        }

        @Override
        public void run() {
            if (!released && handle.isHeld()) {
                log.warn(
                        "Lock '{}' of locker '{}' (fencing token {}) is held, and no code can release it any more, because"
                                + " its handle became unreachable. It is held until its process or 'max-hold-time' ends."
                                + " Release every handle in a finally block or by try-with-resources, or use executeLocked",
                        LockState.printable(handle.key()),
                        handle.locker(),
                        handle.fencingToken(),
                        acquired);
            }
        }
    }

    /** The only handle that the application has. The engine, which renews the lock, has the delegate. */
    private static final class WatchedHandle implements DelegatingLockHandle {

        private final LockHandle delegate;

        private final Leak leak;

        private final Cleaner.Cleanable registration;

        WatchedHandle(LockHandle delegate, Leak leak, Cleaner cleaner) {
            this.delegate = delegate;
            this.leak = leak;
            this.registration = cleaner.register(this, leak);
        }

        @Override
        public LockHandle delegate() {
            return delegate;
        }

        @Override
        public boolean release() {
            end();
            return delegate.release();
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            end();
            return delegate.releaseAsync();
        }

        private void end() {
            leak.released = true;
            registration.clean();
        }

        @Override
        public String toString() {
            return delegate.toString();
        }
    }
}
