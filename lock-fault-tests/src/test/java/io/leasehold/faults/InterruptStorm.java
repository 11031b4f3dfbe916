package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Interrupts callers at random moments while they acquire over a slow network. Their interrupt flags stay set. Three
 * ttls later, none of their locks is in the store, and none is renewed.
 */
final class InterruptStorm {

    private static final Duration SLOWNESS = Duration.ofMillis(5);

    private static final int CALLERS = 4;

    private final AtomicInteger interrupted = new AtomicInteger();

    private final BreakableStore store;

    private final FaultyProcess process;

    private final Locker elsewhere;

    private final Findings findings;

    InterruptStorm(BreakableStore store, Lane lane, Findings findings) {
        this.store = store;
        this.process = lane.process();
        this.elsewhere = lane.rival().locker();
        this.findings = findings;
    }

    /** Interrupts the given number of acquisitions. */
    void run(int acquisitions, long seed) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        process.network().forEach(proxy -> proxy.delay(SLOWNESS));
        try {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String prefix = "storm-" + i + "-";
                keys.addAll(List.of(prefix + 0, prefix + 1, prefix + 2));
                Random random = new Random(seed + i);
                Thread caller = new Thread(() -> interruptOthers(prefix, acquisitions / CALLERS, random));
                caller.start();
                callers.add(caller);
            }
            for (Thread caller : callers) {
                caller.join();
            }
        } finally {
            process.network().forEach(FaultProxy::pass);
        }
        requireNothingLeft(keys);
    }

    int interrupted() {
        return interrupted.get();
    }

    private void interruptOthers(String prefix, int acquisitions, Random random) {
        while (interrupted.get() < acquisitions * CALLERS) {
            String key = prefix + random.nextInt(3);
            Thread caller = new Thread(() -> acquire(key));
            caller.start();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            caller.interrupt();
            try {
                caller.join();
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void acquire(String key) {
        try {
            process.locker()
                    .tryLock(LockRequest.of(key).withWaitTime(store.ttl()))
                    .ifPresent(LockHandle::close);
        } catch (LockInterruptedException ex) {
            interrupted.incrementAndGet();
            if (!Thread.currentThread().isInterrupted()) {
                findings.violation("an interrupt flag was lost: " + key);
            }
        } catch (LockBackendException storeIsSlow) {
            return;
        } catch (RuntimeException ex) {
            findings.violation("an interrupted caller was told " + ex);
        }
    }

    private void requireNothingLeft(List<String> keys) {
        try {
            Awaitility.await()
                    .atMost(store.ttl().multipliedBy(3).plusSeconds(20))
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .until(() -> process.locker().status().held().isEmpty()
                            && keys.stream().allMatch(this::isFree));
        } catch (ConditionTimeoutException ex) {
            findings.violation("interrupted acquisitions have left something: "
                    + process.locker().status());
        }
    }

    private boolean isFree(String key) {
        return elsewhere.tryLock(key).filter(LockHandle::release).isPresent();
    }
}
