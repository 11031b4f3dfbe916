package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.engine.LockEngine;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the check of the stores when the application starts, and ends locking when it stops. It stops after the web
 * server, schedulers and message listeners, which may need locks to finish, and before connections close, which
 * releases need. It grants no further locks, waits a bounded time for holders, and then releases the remaining locks.
 * A scheduler or executor with {@code waitForTasksToCompleteOnShutdown}, and Quartz, do not wait for their tasks when
 * they stop, but when they are destroyed. Such tasks are holders for which this class waits, see
 * {@link ShutdownTimeout}.
 *
 * <p>An application can start again, after a restored checkpoint or a pause between tests, and then grants locks again,
 * see {@link Resumption}. In between it holds no locks, so other processes do not wait for it, and no connections of its
 * own to the stores.
 */
final class LockLifecycle implements SmartLifecycle {

    /** Executors and schedulers stop at half of the range or above, connection factories at zero. */
    static final int PHASE = Integer.MAX_VALUE / 4;

    private static final Logger log = LoggerFactory.getLogger(LockLifecycle.class);

    private final LockEngine engine;

    private final LockBackends backends;

    private final SafetyCheck safetyCheck;

    private final Duration timeout;

    private volatile boolean running;

    LockLifecycle(LockEngine engine, LockBackends backends, SafetyCheck safetyCheck, Duration timeout) {
        this.engine = engine;
        this.backends = backends;
        this.safetyCheck = safetyCheck;
        this.timeout = timeout;
    }

    @Override
    public void start() {
        safetyCheck.run();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        safetyCheck.stop();
        if (!engine.shutdown(timeout)) {
            log.warn(
                    "Locks were still held {} after the web server and listeners had stopped; they were released, and"
                            + " their holders notified. Raise 'lock.shutdown.timeout' if holders need longer to finish,"
                            + " such as tasks that Spring awaits when it destroys the beans ('await-termination',"
                            + " 'wait-for-jobs-to-complete-on-shutdown')",
                    PropertyValue.print(timeout));
        }
        backends.pause();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /**
     * Grants locks again before other beans start. They get locks when they start for the first time as well, whatever
     * their phase.
     */
    static final class Resumption implements SmartLifecycle {

        private final LockEngine engine;

        private final LockBackends backends;

        private final SafetyCheck safetyCheck;

        private volatile boolean running;

        Resumption(LockEngine engine, LockBackends backends, SafetyCheck safetyCheck) {
            this.engine = engine;
            this.backends = backends;
            this.safetyCheck = safetyCheck;
        }

        @Override
        public void start() {
            safetyCheck.resume();
            backends.resume();
            engine.resume();
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }
    }
}
