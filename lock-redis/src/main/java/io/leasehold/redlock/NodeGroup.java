package io.leasehold.redlock;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The configured nodes, and the collaborators that all operations on them share. The quorum is a majority of all
 * configured nodes, not of the available ones.
 *
 * @param scheduler runs timeouts; its tasks must be short
 * @param reaperScheduler runs removals, for which no caller waits
 * @param healthOrder the order in which commands are sent to the nodes
 */
record NodeGroup(
        List<RedlockNode> nodes,
        RedlockLockOptions options,
        LongSupplier nanoTime,
        Scheduler scheduler,
        Scheduler reaperScheduler,
        HealthOrder healthOrder) {

    NodeGroup {
        nodes = List.copyOf(nodes);
        if (nodes.size() < 3 || nodes.size() % 2 == 0) {
            throw new IllegalArgumentException("'nodes' must be an odd number of at least 3, since an even number"
                    + " survives no more failures than one less: " + nodes.size() + " nodes " + names(nodes));
        }
        requireDifferent(nodes);
    }

    /** Creates a group without any knowledge of the nodes' health. */
    NodeGroup(
            List<RedlockNode> nodes,
            RedlockLockOptions options,
            LongSupplier nanoTime,
            Scheduler scheduler,
            Scheduler reaperScheduler) {
        this(nodes, options, nanoTime, scheduler, reaperScheduler, new HealthOrder(nodes.size()));
    }

    int size() {
        return nodes.size();
    }

    int quorum() {
        return nodes.size() / 2 + 1;
    }

    /** Whether no quorum is possible without the given number of nodes. */
    boolean leavesNoQuorum(int missing) {
        return size() - missing < quorum();
    }

    long nodeTimeout(Duration ttl) {
        return options.nodeTimeoutNanos(ttl);
    }

    /** The timeout of a question that belongs to no lease, so that no ttl limits it. */
    long longestNodeTimeout() {
        return nodeTimeout(Duration.ofDays(1));
    }

    /** Runs an action unless all nodes have answered or failed within the timeout; see {@link ResponseTimeout}. */
    void unlessAllEnd(List<? extends CompletableFuture<?>> asked, long timeoutNanos, Runnable action) {
        Runnable timeout = new ResponseTimeout(scheduler, nanoTime, timeoutNanos, action).begin();
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> timeout.run());
    }

    /** Sends a command to all nodes before any answer is evaluated, so that no node waits for another. */
    <T> List<CompletableFuture<T>> askAll(Function<QuorumNode, CompletionStage<T>> question) {
        Map<Integer, CompletableFuture<T>> asked = new TreeMap<>();
        for (int node : healthOrder.now()) {
            CompletableFuture<T> one = ask(nodes.get(node), question);
            one.whenComplete((answer, failure) -> record(node, failure));
            asked.put(node, one);
        }
        return List.copyOf(asked.values());
    }

    /**
     * Asks all nodes, and returns the answers that have arrived when they suffice, when all nodes have answered, or at
     * the longest timeout of a node. A node that does not answer is left out, and delays no answer that does not need it.
     *
     * @param suffices whether no further answer can change the conclusion
     */
    <T> CompletableFuture<List<T>> answers(
            Function<QuorumNode, CompletionStage<T>> question, Predicate<List<T>> suffices) {
        List<CompletableFuture<T>> asked = askAll(question);
        CompletableFuture<List<T>> result = new CompletableFuture<>();
        for (CompletableFuture<T> one : asked) {
            one.thenRun(() -> {
                List<T> arrived = arrived(asked);
                if (suffices.test(arrived)) {
                    result.complete(arrived);
                }
            });
        }
        allEnded(asked, longestNodeTimeout()).thenRun(() -> result.complete(arrived(asked)));
        return result;
    }

    private static <T> List<T> arrived(List<CompletableFuture<T>> asked) {
        return asked.stream()
                .filter(each -> each.isDone() && !each.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
    }

    /** Completes when all nodes have answered or failed. Questions that are open at the timeout are cancelled. */
    CompletableFuture<Void> allEnded(List<? extends CompletableFuture<?>> asked, long timeoutNanos) {
        Scheduler.Task timeout = scheduler.schedule(() -> asked.forEach(each -> each.cancel(true)), timeoutNanos);
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).handle((done, failure) -> {
            timeout.cancel();
            return null;
        });
    }

    /** Connects to all nodes. Completes when a quorum is connected, or fails with the failure that leaves no quorum. */
    CompletableFuture<Void> connect() {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        AtomicInteger successes = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        for (RedlockNode node : nodes) {
            ask(node, QuorumNode::connect).whenComplete((done, failure) -> {
                if (failure == null && successes.incrementAndGet() >= quorum()) {
                    connected.complete(null);
                } else if (failure != null && leavesNoQuorum(failures.incrementAndGet())) {
                    connected.completeExceptionally(causeOf(failure));
                }
            });
        }
        return connected;
    }

    static <T> CompletableFuture<T> ask(RedlockNode node, Function<QuorumNode, CompletionStage<T>> question) {
        try {
            return question.apply(node.store()).toCompletableFuture();
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    static Effect effectOf(Throwable failure) {
        return causeOf(failure) instanceof BackendFailure known ? known.effect() : Effect.UNKNOWN;
    }

    static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void record(int node, @Nullable Throwable failure) {
        if (failure != null && effectOf(failure) == Effect.UNKNOWN) {
            healthOrder.timedOut(node);
        } else {
            healthOrder.answered(node);
        }
    }

    private static void requireDifferent(List<RedlockNode> nodes) {
        Set<QuorumNode> stores = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<String> names = new TreeSet<>();
        for (RedlockNode node : nodes) {
            if (!names.add(node.name()) || !stores.add(node.store())) {
                throw new IllegalArgumentException(
                        "'nodes' must be different servers: '" + node.name() + "' is there twice in " + names(nodes));
            }
        }
    }

    private static List<String> names(List<RedlockNode> nodes) {
        return nodes.stream().map(RedlockNode::name).toList();
    }

    /**
     * The order in which commands are sent. Nodes that did not answer their last command come last. A client that has
     * lost its server may accept the next command slowly, which must not delay the commands to the other nodes.
     */
    static final class HealthOrder {

        private static final int SILENT = 1;

        private final AtomicIntegerArray silence;

        HealthOrder(int nodes) {
            this.silence = new AtomicIntegerArray(nodes);
        }

        void answered(int node) {
            if (silence.get(node) == SILENT) {
                silence.set(node, 0);
            }
        }

        void timedOut(int node) {
            silence.set(node, SILENT);
        }

        /** Returns the indexes of all nodes in the current order. */
        int[] now() {
            int[] order = new int[silence.length()];
            int first = 0;
            int last = order.length;
            for (int node = 0; node < order.length; node++) {
                if (silence.get(node) == SILENT) {
                    last--;
                    order[last] = node;
                } else {
                    order[first] = node;
                    first++;
                }
            }
            return order;
        }
    }
}
