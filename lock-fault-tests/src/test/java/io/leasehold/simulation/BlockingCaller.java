package io.leasehold.simulation;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.simulation.Plan.CallerPlan;
import java.util.Optional;

/** A caller that blocks a thread of its own. */
final class BlockingCaller extends Caller {

    BlockingCaller(Node node, CallerPlan plan) {
        super(node, plan);
    }

    @Override
    void ask() {
        thread().execute(this::run);
    }

    @Override
    void giveUp() {
        if (isBusy()) {
            note("is interrupted");
            node().parker().interrupt(thread());
        }
    }

    private void run() {
        note("asks");
        try {
            Optional<LockHandle> lock = thread().asking(() -> locker().tryLock(request()));
            if (lock.isPresent()) {
                use(lock.get());
            } else {
                note("is not given the lock");
            }
        } catch (LockInterruptedException ex) {
            note("was interrupted");
        } catch (LockBackendException ex) {
            failed(ex);
        } catch (Exploded ex) {
            note("met ", ex);
        } finally {
            Thread.interrupted();
            ended();
        }
    }

    private void use(LockHandle lock) {
        Oracle.View view = hold(lock);
        try {
            pass(plan().hold() / 2);
            renew(lock);
            pass(plan().hold() / 2);
            lock.isHeld();
        } finally {
            release(view, lock);
        }
    }
}
