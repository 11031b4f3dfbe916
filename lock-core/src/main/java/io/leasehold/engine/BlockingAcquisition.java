package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Drives an acquisition on the thread of its caller, which waits in between. */
final class BlockingAcquisition implements Runnable {

    private final LeaseLocker locker;

    private final LockRequest request;

    private final Thread caller = Thread.currentThread();

    private volatile boolean signalled;

    BlockingAcquisition(LeaseLocker locker, LockRequest request) {
        this.locker = locker;
        this.request = request;
    }

    Optional<LockHandle> await(Terms terms) {
        Acquisition acquisition = new Acquisition(locker, request, terms, terms.patience(), this);
        try {
            long waitUntil = acquisition.step();
            while (!acquisition.isDone()) {
                await(acquisition.awaited(), waitUntil);
                waitUntil = acquisition.step();
            }
        } catch (InterruptedException ex) {
            acquisition.abandon();
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(locker.name(), request.key());
        }
        return acquisition.result();
    }

    /** Signal: something has changed for the one that waits. */
    @Override
    public void run() {
        signalled = true;
        LockSupport.unpark(caller);
    }

    private void await(@Nullable CompletableFuture<?> awaited, long until) throws InterruptedException {
        Ticker ticker = locker.parts().ticker();
        if (awaited != null) {
            Waits.await(awaited, until - ticker.nanos());
            return;
        }
        long left = until - ticker.nanos();
        while (!signalled && left > 0) {
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            left = until - ticker.nanos();
        }
        signalled = false;
    }
}
