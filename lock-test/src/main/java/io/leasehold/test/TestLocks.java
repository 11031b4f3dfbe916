package io.leasehold.test;

import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Locks for tests: lockers over a store in memory, on a clock that the test moves, and the faults that locked code has
 * to survive. No server, no thread and no sleep is needed.
 *
 * <pre>{@code
 * @RegisterExtension
 * final TestLocks locks = TestLocks.create();
 * }</pre>
 *
 * <p>Time stands still until the test calls {@link #advance}. Renewals and expiries that become due run on the thread
 * that moves the clock, and so do the callbacks of lost locks: they have run when the method returns. A blocking call
 * passes its wait time by itself, without delay, if only time can end its wait: another process holds the lock, the
 * store does not answer, or the calling thread itself holds the lock. A call that waits for another thread of this
 * application waits until that thread releases the lock, or until the test moves the clock. An asynchronous call always
 * waits for one of the two.
 *
 * <p>A key stands for the locks of all lockers with this key, also for those of lockers that mask keys. A key that the
 * application customizes is given as {@link Locker#visibleKey} returns it. Every condition that a method causes is undone
 * by {@link Disturbance#close()}, or else by {@link #reset()}, which JUnit calls after each test. All methods are
 * thread-safe.
 */
public final class TestLocks implements AfterEachCallback, AutoCloseable {

    /** The name of the store in the status of lockers and in metrics. */
    public static final String BACKEND = "test";

    private static final Duration BETWEEN_TESTS = Duration.ofMinutes(2);

    private final Waits waits = new Waits();

    private final VirtualTime time = new VirtualTime(waits);

    private final TestStore store = new TestStore(time, waits);

    private final List<LockEngine> engines = new CopyOnWriteArrayList<>();

    private final Map<String, Locker> lockers = new ConcurrentHashMap<>();

    private final LockEngine own = engine(new LockListener() {});

    private TestLocks() {}

    /** Creates a store without locks, and a clock that stands still. */
    public static TestLocks create() {
        return new TestLocks();
    }

    /**
     * Returns the locker with this name and default settings. It is created by the first call.
     *
     * @param name the locker's name, also its namespace
     */
    public Locker locker(String name) {
        return lockers.computeIfAbsent(name, created -> locker(LockerSettings.of(created)));
    }

    /** Creates a locker. */
    public Locker locker(LockerSettings settings) {
        return own.locker(settings, BACKEND, store);
    }

    /**
     * Creates an engine on the clock of this test. Its lockers should use {@link #backend()}.
     *
     * @param listener receives every event, on the thread that causes it
     */
    public LockEngine engine(LockListener listener) {
        return engine(listener, () -> "test");
    }

    /**
     * Creates an engine on the clock of this test, whose locks name their holder. Its lockers should use
     * {@link #backend()}.
     *
     * @param listener receives every event, on the thread that causes it
     * @param instanceName returns the name that the store shows as the holder of the engine's locks
     */
    public LockEngine engine(LockListener listener, Supplier<String> instanceName) {
        LockEngine engine = new LockEngine(waits.observe(listener), instanceName, time, time, time, time);
        engines.add(engine);
        return engine;
    }

    /**
     * Returns the store of this test.
     *
     * @return the store
     */
    public LockBackend backend() {
        return store;
    }

    /**
     * Lets time pass. Locks are renewed and expire as they would in this time.
     *
     * @param time how far the clock moves
     * @throws IllegalArgumentException if the time is negative
     */
    public void advance(Duration time) {
        this.time.pass(requireNotNegative(time));
    }

    /**
     * Pauses the whole process, as a garbage collection or a suspended container does. Time passes, leases expire in
     * the store, and nothing is renewed. Holders notice the loss as they would after such a pause:
     * {@link LockHandle#isHeld()} immediately, callbacks at the next {@link #advance}.
     *
     * @param time the length of the pause
     * @throws IllegalArgumentException if the time is negative
     */
    public void pauseProcess(Duration time) {
        this.time.freeze(requireNotNegative(time));
    }

    /**
     * Lets another process hold a key. Callers of this application wait for the lock as long as they are configured to,
     * which takes no real time, and do not get it.
     *
     * @return releases the lock when it is closed
     * @throws IllegalStateException if this application or another process already holds the key
     */
    public Disturbance holdElsewhere(String key) {
        LockKeys.requireValid(key);
        if (store.isHeldElsewhere(key)) {
            throw new IllegalStateException("key '" + key + "' is already held by another process."
                    + " Close the Disturbance that the first holdElsewhere(\"" + key + "\") returned.");
        }
        if (!heldWith(key).isEmpty()) {
            throw new IllegalStateException("this application holds key '" + key + "', so no other process can: "
                    + heldWith(key) + ". Call lose(\"" + key + "\") first.");
        }
        return store.holdElsewhere(key);
    }

    /**
     * Takes the locks of a key away from this application, as a store does that has lost its data. Their holders are
     * notified before this method returns. A lock that cannot be renewed any more, because it is near its maximum hold
     * time, is lost by moving the clock to its end.
     *
     * @throws IllegalStateException if this application does not hold the key, or the store stalls
     */
    public void lose(String key) {
        List<LockHandle> handles = heldWith(key);
        if (handles.isEmpty()) {
            throw new IllegalStateException("this application holds no lock with key '" + key
                    + "' that it could lose; it holds " + held()
                    + ". Call lose while the lock is held, for example from the body of the locked method.");
        }
        if (store.stalls()) {
            throw new IllegalStateException("the store stalls, so the holder of key '" + key
                    + "' cannot learn of the loss. Close the Disturbance that stall() returned first,"
                    + " or call advance(ttl), after which the lock has expired.");
        }
        store.forget(key);
        handles.forEach(this::noticeLoss);
    }

    /**
     * Lets the store stop answering. Commands time out and have no effect. A caller that acquires gets a {@link
     * io.leasehold.LockBackendException} when its wait time has passed, and held locks expire when the test moves the
     * clock by their ttl.
     *
     * @return lets the store answer again when it is closed
     */
    public Disturbance stall() {
        return store.stall();
    }

    /**
     * Lets the store refuse every acquisition of a key, as a server does that denies access. Callers get a {@link
     * io.leasehold.LockBackendException} immediately. A lock that is held is renewed and released as before.
     *
     * @return lets the store grant the key again when it is closed
     */
    public Disturbance deny(String key) {
        LockKeys.requireValid(key);
        return store.deny(key);
    }

    /**
     * Loses the reply to the next acquisition of a key. The store grants the lock, and the caller does not learn
     * that. A caller with wait time left retries until the first request is undone.
     *
     * @return lets replies arrive again when it is closed before the next acquisition
     */
    public Disturbance loseReply(String key) {
        LockKeys.requireValid(key);
        return store.loseReply(key);
    }

    /**
     * Returns the locks that this application holds, of all threads.
     *
     * @return their handles
     */
    public List<LockHandle> held() {
        return engines.stream()
                .flatMap(engine -> engine.status().stream())
                .flatMap(status -> status.held().stream())
                .toList();
    }

    /**
     * Returns the lock that this application holds for a key, in any thread.
     *
     * @throws AssertionError if the application holds no such lock, or several lockers hold one
     */
    public LockHandle held(String key) {
        List<LockHandle> handles = heldWith(key);
        if (handles.size() != 1) {
            throw new AssertionError("Expected this application to hold one lock with key '" + key + "', but it holds "
                    + (handles.isEmpty() ? "none; all of its locks are " + held() : "several: " + handles));
        }
        return handles.get(0);
    }

    /**
     * Returns how many callers of this application wait for a lock. A test of two threads awaits it before the first
     * one releases.
     *
     * @return the number of callers
     */
    public int waiting() {
        return engines.stream()
                .flatMap(engine -> engine.status().stream())
                .mapToInt(LockerStatus::waiting)
                .sum();
    }

    /**
     * Ends all disturbances, releases all locks, and removes what minimum hold times keep in the store. The clock moves
     * by two minutes, so that nothing of the test remains to be done. Fencing tokens keep rising.
     */
    public void reset() {
        store.endDisturbances();
        releaseAll();
        time.pass(BETWEEN_TESTS);
        // callers that waited for the store
        releaseAll();
        store.clear();
        waits.forgetLost();
    }

    /** A release hands the lock over to a caller that waits, so as many rounds as callers may be needed. */
    private void releaseAll() {
        for (int rounds = waiting() + 1; rounds > 0 && !held().isEmpty(); rounds--) {
            held().forEach(LockHandle::release);
        }
    }

    /** Resets all state after a test. JUnit calls it if this object is a registered extension. */
    @Override
    public void afterEach(ExtensionContext context) {
        reset();
    }

    /** Resets all state and shuts the lockers down. */
    @Override
    public void close() {
        reset();
        engines.forEach(LockEngine::close);
    }

    private void noticeLoss(LockHandle handle) {
        try {
            handle.renew();
        } catch (LockLostException expected) {
            // the renewal has notified the holder
        } catch (IllegalArgumentException nearItsEnd) {
            time.pass(handle.remaining());
        }
    }

    private List<LockHandle> heldWith(String key) {
        return held().stream().filter(handle -> isFor(key, handle)).toList();
    }

    /** Whether the key of a handle, which may be masked, is the given key. */
    static boolean isFor(String key, LockHandle handle) {
        return handle.key().equals(key) || handle.key().equals(LockKeys.mask(key));
    }

    private static Duration requireNotNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "'time' must not be negative: " + time + ". The test's clock does not go back.");
        }
        return time;
    }
}
