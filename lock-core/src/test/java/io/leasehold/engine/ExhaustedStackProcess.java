package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.memory.MemoryLockBackend;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Acquires and releases locks where the stack of the thread ends during the call, at each of its methods. */
public final class ExhaustedStackProcess {

    private static final long STACK = 256 * 1024;

    /** With so many frames that are a little larger, the end of the stack moves by one frame. */
    private static final int WIDER = 12;

    private final AtomicInteger depth = new AtomicInteger();

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LeaseLocker locker = engine.locker(
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(1)),
            "memory",
            new MemoryLockBackend(System::nanoTime, Clock.systemUTC()));

    private ExhaustedStackProcess() {}

    /** Fails or does not end if a key stays taken. */
    public static void main(String[] arguments) throws InterruptedException {
        new ExhaustedStackProcess().run();
        System.exit(0);
    }

    private void run() throws InterruptedException {
        // initializes the classes, which would stay unusable after a failure
        locker.lock("first").close();
        inThread(this::descend);
        List<String> keys = new ArrayList<>();
        boolean succeeded = false;
        for (int calls = depth.get(); !succeeded; calls--) {
            for (int wider = WIDER; wider >= 0; wider--) {
                String key = calls + "-" + wider;
                keys.add(key);
                succeeded = succeedsBelow(calls, wider, key);
            }
        }
        // those that could not be released are free after their ttl
        for (int i = 0; i < keys.size(); i++) {
            if (i % 2 == 0) {
                locker.lock(keys.get(i)).close();
            } else {
                acquireWithoutWaiting(keys.get(i)).close();
            }
        }
        System.out.println("all keys are usable: " + (keys.size() > 1));
        engine.close();
        System.out.println("callers without an end: " + callersWithoutAnEnd());
    }

    /** The number of callers that wait without a thread, and do not even end with their wait time. */
    private long callersWithoutAnEnd() throws InterruptedException {
        VirtualTime time = new VirtualTime();
        LockEngine waiting = time.engine(new LockListener() {});
        LeaseLocker locker = waiting.locker(VirtualTime.settings("wait"), "scripted", new ScriptedBackend());
        locker.lock("key");
        List<CompletableFuture<?>> callers = new ArrayList<>();
        AtomicInteger signalled = new AtomicInteger();
        for (int calls = depth.get(); signalled.get() < WIDER; calls--) {
            for (int wider = WIDER; wider >= 0; wider -= 4) {
                Duration waitTime = Duration.ofMillis(callers.size() + 1);
                AsyncAcquisition caller = (AsyncAcquisition)
                        locker.tryLockAsync(LockRequest.of("key").withWaitTime(waitTime));
                callers.add(caller);
                int below = calls;
                int frames = wider;
                inThread(() -> descend(below, frames, () -> {
                    caller.run();
                    signalled.incrementAndGet();
                }));
            }
        }
        time.pass(Duration.ofMinutes(1));
        return callers.stream().filter(caller -> !caller.isDone()).count();
    }

    private LockHandle acquireWithoutWaiting(String key) throws InterruptedException {
        while (true) {
            Optional<LockHandle> handle = locker.tryLock(key, Duration.ZERO);
            if (handle.isPresent()) {
                return handle.get();
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private boolean succeedsBelow(int calls, int wider, String key) throws InterruptedException {
        AtomicBoolean succeeded = new AtomicBoolean();
        inThread(() -> descend(calls, wider, () -> {
            locker.tryLock(key, Duration.ZERO).orElseThrow().release();
            succeeded.set(true);
        }));
        return succeeded.get();
    }

    private void descend() {
        depth.incrementAndGet();
        descend();
    }

    private void descend(int calls, int wider, Runnable action) {
        if (calls == 0) {
            action.run();
        } else if (wider > 0) {
            descend(calls, wider, 0L, action);
        } else {
            descend(calls - 1, 0, action);
        }
    }

    /** The additional parameter makes the frame a little larger. */
    private void descend(int calls, int wider, long unused, Runnable action) {
        if (wider == 0) {
            descend(calls - 1, 0, action);
        } else {
            descend(calls - 1, wider - 1, unused, action);
        }
    }

    private static void inThread(Runnable action) throws InterruptedException {
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        action.run();
                    } catch (StackOverflowError expected) {
                        return;
                    }
                },
                "descending",
                STACK);
        thread.start();
        thread.join();
    }
}
