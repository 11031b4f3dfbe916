package io.leasehold.backend.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends SQL work on callers' threads that has outlasted their patience, by closing its connection: a thread that waits
 * inside of a driver for an answer heeds neither its interruption nor any time of ours. It looks while there is such work
 * and for a second longer, so that beginning some wakes nobody.
 */
final class CallGuard implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CallGuard.class);

    private static final long PACE_MILLIS = 10;

    private static final int LOOKS_IN_VAIN = 100;

    private final SessionPool sessions;

    private final LongSupplier nanoTime;

    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean looking = new AtomicBoolean();

    private final ScheduledThreadPoolExecutor timer;

    private int looksInVain;

    CallGuard(SessionPool sessions, LongSupplier nanoTime) {
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "leasehold-jdbc-guard");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /** Begins work of the calling thread with a session, which has been waiting since a time of the clock. */
    Call begin(Session session, Patience patience, long since) {
        Call call = new Call(session, patience, since);
        calls.add(call);
        if (!looking.get() && looking.compareAndSet(false, true)) {
            lookSoon();
        }
        return call;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void lookSoon() {
        try {
            timer.schedule(this::look, PACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            looking.set(false);
        }
    }

    private void look() {
        looksInVain = calls.isEmpty() ? looksInVain + 1 : 0;
        long now = nanoTime.getAsLong();
        for (Call call : calls) {
            if (call.isOver(now) && call.end()) {
                abort(call.session);
            }
        }
        if (looksInVain < LOOKS_IN_VAIN) {
            lookSoon();
            return;
        }
        looksInVain = 0;
        looking.set(false);
        if (!calls.isEmpty() && looking.compareAndSet(false, true)) {
            lookSoon();
        }
    }

    /** Whatever comes of it, the guard has to look on: without it, later calls would last as long as the driver lets them. */
    private void abort(Session session) {
        try {
            sessions.abort(session);
        } catch (Throwable ex) {
            log.error("A connection that was used for too long could not be closed", ex);
        }
    }

    /** Work of one thread with one session. */
    final class Call {

        private final Thread thread = Thread.currentThread();

        private final Session session;

        private final Patience patience;

        private final long since;

        private Call(Session session, Patience patience, long since) {
            this.session = session;
            this.patience = patience;
            this.since = since;
        }

        /** Ends it, once: whoever is told true says what becomes of the session. */
        boolean end() {
            return calls.remove(this);
        }

        private boolean isOver(long now) {
            return now - since >= patience.longest().toNanos()
                    || patience.endsWithInterrupt() && thread.isInterrupted();
        }
    }
}
