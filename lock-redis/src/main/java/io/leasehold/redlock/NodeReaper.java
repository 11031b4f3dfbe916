package io.leasehold.redlock;

import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tokens from single nodes until they are certainly gone.
 *
 * <ol>
 *   <li>The reaper deletes the token if it still matches: immediately, then with exponential back-off up to two
 *       seconds. It sends only a few commands to one node at the same time, so that a node that is down costs little.
 *   <li>A removal is done when the node confirms that it removed the token. The answer that the token does not exist is
 *       sufficient if the node had answered the acquisition. Otherwise the acquisition may still be in transit. Two such
 *       answers in a row are then necessary, the last of them after five seconds, because a node that was paused may
 *       read the removal before the acquisition.
 *   <li>The reaper gives up when the token must have expired. It keeps at most {@value #MOST} tokens of one node; a node
 *       that is down must not keep it from removing those of the others.
 * </ol>
 */
final class NodeReaper {

    private static final int MOST = 2_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

    private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_ON_THE_WAY = TimeUnit.SECONDS.toNanos(5);

    private static final Logger log = LoggerFactory.getLogger(NodeReaper.class);

    private final NodeGroup nodes;

    private final Map<RedlockNode, ConcurrencyLimit> limits = new ConcurrentHashMap<>();

    NodeReaper(NodeGroup nodes) {
        this.nodes = nodes;
    }

    int pending() {
        return limits.values().stream().mapToInt(limit -> limit.pending.get()).sum();
    }

    /**
     * Removes a token from a node. {@code mayArriveLate} means that the outcome of the acquisition on this node is
     * unknown. If the command retains the lease, its time counts from now.
     */
    void remove(RedlockNode node, ReleaseCommand command, boolean mayArriveLate) {
        ConcurrencyLimit limit = limits.computeIfAbsent(node, any -> new ConcurrencyLimit());
        if (limit.pending.incrementAndGet() > MOST) {
            limit.pending.decrementAndGet();
            return;
        }
        new Removal(node, command, mayArriveLate, limit).begin();
    }

    private final class Removal {

        private final RedlockNode node;

        private final ReleaseCommand command;

        private final boolean mayArriveLate;

        private final ConcurrencyLimit limit;

        private final long since = nodes.nanoTime().getAsLong();

        private long pause = FIRST_PAUSE;

        private int denials;

        Removal(RedlockNode node, ReleaseCommand command, boolean mayArriveLate, ConcurrencyLimit limit) {
            this.node = node;
            this.command = command;
            this.mayArriveLate = mayArriveLate;
            this.limit = limit;
        }

        void begin() {
            limit.ask(this::ask);
        }

        private void ask() {
            CompletableFuture<ReleaseAnswer> asked = NodeGroup.ask(node, store -> store.release(now()));
            if (!asked.isDone()) {
                Scheduler.Task timeout = later(() -> asked.cancel(true), LONGEST_SILENCE);
                if (timeout == null) {
                    asked.cancel(true);
                } else {
                    asked.whenComplete((answer, failure) -> timeout.cancel());
                }
            }
            asked.whenComplete((answer, failure) -> answered(answer));
        }

        private void answered(@Nullable ReleaseAnswer answer) {
            if (isDone(answer)) {
                limit.pending.decrementAndGet();
            } else {
                askAgain();
            }
            limit.answered();
        }

        private void askAgain() {
            if (later(() -> limit.ask(this::ask), pause) == null) {
                limit.pending.decrementAndGet();
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }

        /** The command, which retains the lease until the same time as at first. */
        private ReleaseCommand now() {
            long retained = command.retainFor().toNanos() - age();
            return new ReleaseCommand(command.id(), command.token(), Duration.ofNanos(Math.max(0, retained)));
        }

        private boolean isDone(@Nullable ReleaseAnswer answer) {
            denials = answer == ReleaseAnswer.NOT_OWNER ? denials + 1 : 0;
            if (answer == ReleaseAnswer.RELEASED) {
                return true;
            }
            if (answer == ReleaseAnswer.NOT_OWNER) {
                return !mayArriveLate || denials > 1 && age() >= LONGEST_ON_THE_WAY;
            }
            return age() >= nodes.options().maxTtl().toNanos() + LONGEST_ON_THE_WAY;
        }

        private long age() {
            return nodes.nanoTime().getAsLong() - since;
        }

        /** Returns {@code null} if no thread can be created, which must not end other removals or the caller's release. */
        private Scheduler.@Nullable Task later(Runnable task, long delay) {
            try {
                return nodes.reaperScheduler().schedule(task, delay);
            } catch (Throwable ex) {
                SafeLogging.log(() -> log.warn("A removal from Redlock node '{}' could not be timed", node.name(), ex));
                return null;
            }
        }
    }

    /**
     * Limits concurrent removals to {@value #AT_ONCE} per node. A node that is down therefore gets only a few commands
     * per second, regardless of the number of its removals, and does not affect other nodes.
     */
    static final class ConcurrencyLimit {

        static final int AT_ONCE = 16;

        /** The tokens of the node that are still to be removed. */
        private final AtomicInteger pending = new AtomicInteger();

        private final Queue<Runnable> waiting = new ArrayDeque<>();

        private int underWay;

        private boolean starting;

        /**
         * Runs a command now or when the limit permits it. {@link #answered} must be called when the command has ended.
         */
        void ask(Runnable question) {
            synchronized (this) {
                waiting.add(question);
            }
            start();
        }

        /** Called when a command has ended, with or without an answer. */
        void answered() {
            synchronized (this) {
                underWay--;
            }
            start();
        }

        /** Starts waiting commands in a loop, so that commands that end immediately do not recurse. */
        private void start() {
            synchronized (this) {
                if (starting) {
                    return;
                }
                starting = true;
            }
            for (Runnable next = next(); next != null; next = next()) {
                try {
                    next.run();
                } catch (Throwable ex) {
                    giveUp(ex);
                }
            }
        }

        /** Called when a command has failed without an end, as after an error of the JVM. Its token is left to expire. */
        private synchronized void giveUp(Throwable ex) {
            underWay--;
            pending.decrementAndGet();
            SafeLogging.log(() -> log.warn("A token is not removed from a Redlock node, and expires", ex));
        }

        private synchronized @Nullable Runnable next() {
            Runnable next = underWay < AT_ONCE ? waiting.poll() : null;
            starting = next != null;
            underWay += starting ? 1 : 0;
            return next;
        }
    }
}
