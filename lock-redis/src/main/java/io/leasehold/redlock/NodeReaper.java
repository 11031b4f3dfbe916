package io.leasehold.redlock;

import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.Scheduler;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes tokens back from single nodes until they are surely gone.
 *
 * <ol>
 *   <li>It compares and deletes, at once and then ever more slowly, until it does so every two seconds; of one node only
 *       a few tokens at a time, so that a node that is down costs nothing.
 *   <li>It is done when the node says that it removed the token. That the token is not there is good enough where the
 *       node had answered before; otherwise only when the acquisition can no longer be under way.
 *   <li>It gives up when the token must have expired by itself, and takes no more than {@value #MOST} at a time.
 * </ol>
 */
final class NodeReaper {

    private static final int MOST = 2_000;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

    private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_ON_THE_WAY = TimeUnit.SECONDS.toNanos(5);

    private final NodeGroup nodes;

    private final Map<RedlockNode, ConcurrencyLimit> lanes = new ConcurrentHashMap<>();

    private final AtomicInteger pending = new AtomicInteger();

    NodeReaper(NodeGroup nodes) {
        this.nodes = nodes;
    }

    int pending() {
        return pending.get();
    }

    /** Removes a token from a node; {@code mayArriveLate} if it is not known what became of the acquisition. */
    void remove(RedlockNode node, LockId id, Token token, boolean mayArriveLate) {
        if (pending.incrementAndGet() > MOST) {
            pending.decrementAndGet();
            return;
        }
        new Removal(node, new ReleaseCommand(id, token), mayArriveLate).begin();
    }

    private final class Removal {

        private final RedlockNode node;

        private final ReleaseCommand command;

        private final boolean mayArriveLate;

        private final ConcurrencyLimit lane;

        private final long since = nodes.nanoTime().getAsLong();

        private long pause = FIRST_PAUSE;

        Removal(RedlockNode node, ReleaseCommand command, boolean mayArriveLate) {
            this.node = node;
            this.command = command;
            this.mayArriveLate = mayArriveLate;
            this.lane = lanes.computeIfAbsent(node, any -> new ConcurrencyLimit());
        }

        void begin() {
            lane.ask(this::ask);
        }

        private void ask() {
            CompletableFuture<ReleaseAnswer> asked = NodeGroup.ask(node, store -> store.release(command));
            Scheduler.Task timeout = asked.isDone() ? () -> {} : later(() -> asked.cancel(true), LONGEST_SILENCE);
            asked.whenComplete((answer, failure) -> {
                timeout.cancel();
                if (isDone(answer)) {
                    pending.decrementAndGet();
                } else {
                    later(() -> lane.ask(this::ask), pause);
                    pause = Math.min(2 * pause, LONGEST_PAUSE);
                }
                lane.answered();
            });
        }

        private boolean isDone(@Nullable ReleaseAnswer answer) {
            long age = nodes.nanoTime().getAsLong() - since;
            if (answer == ReleaseAnswer.RELEASED) {
                return true;
            }
            if (answer == ReleaseAnswer.NOT_OWNER) {
                return !mayArriveLate || age >= LONGEST_ON_THE_WAY;
            }
            return age >= nodes.options().longestTtl().toNanos() + LONGEST_ON_THE_WAY;
        }

        private Scheduler.Task later(Runnable task, long delay) {
            return nodes.reaperScheduler().schedule(task, delay);
        }
    }

    /**
     * Lets no more than {@value #AT_ONCE} removals ask one node at the same time. So a node that is down is asked a few times
     * a second, however much is to be removed from it, and the others notice nothing of it.
     */
    static final class ConcurrencyLimit {

        static final int AT_ONCE = 16;

        private final Queue<Runnable> waiting = new ArrayDeque<>();

        private int underWay;

        private boolean starting;

        /** Runs a question now or when there is room; it has to call {@link #answered} when it has ended. */
        void ask(Runnable question) {
            synchronized (this) {
                waiting.add(question);
            }
            start();
        }

        /** A question has ended, with or without an answer. */
        void answered() {
            synchronized (this) {
                underWay--;
            }
            start();
        }

        /** Questions that end at once start the next ones here, and not deeper and deeper inside each other. */
        private void start() {
            synchronized (this) {
                if (starting) {
                    return;
                }
                starting = true;
            }
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        }

        private synchronized @Nullable Runnable next() {
            Runnable next = underWay < AT_ONCE ? waiting.poll() : null;
            starting = next != null;
            underWay += starting ? 1 : 0;
            return next;
        }
    }
}
