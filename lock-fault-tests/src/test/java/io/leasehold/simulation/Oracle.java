package io.leasehold.simulation;

import io.leasehold.LockHandle;
import io.leasehold.LossReason;
import io.leasehold.engine.SimulatedEngine;
import io.leasehold.simulation.SimulatedStore.Leftover;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows the true time and all processes, and detects violations:
 *
 * <ol>
 *   <li>two holders of a lock whose own views are valid at the same moment;
 *   <li>a fencing token that is not greater than that of the previous holder;
 *   <li>a hold that never ends, ends twice, ends without a notification, or is ended neither by its holder nor by the
 *       store;
 *   <li>a minimum hold time that is cut short;
 *   <li>a forced release that ends another hold than the one that it names.
 * </ol>
 *
 * <p>{@link LastLook} checks the state at the end.
 */
final class Oracle {

    /**
     * The error of a minimum hold time that comes from clocks of different speeds and from rounding to milliseconds.
     */
    private static final long ROUNDING = 4_000_000;

    /** Longer than a command, and than a shutdown waits for the answers to its last removals, without a fault. */
    private static final long LAST_ANSWERS = 50_000_000;

    private final Simulation simulation;

    private final SimulatedStore store;

    private final boolean calm;

    private final Map<LockHandle, View> views = new IdentityHashMap<>();

    private final Map<Token, View> byToken = new HashMap<>();

    private final Map<LockId, List<View>> open = new HashMap<>();

    private final Map<LockId, View> latest = new HashMap<>();

    private final Map<LockHandle, String> endedEarly = new IdentityHashMap<>();

    private final Set<LockHandle> last = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<LockId, Set<Long>> revocations = new HashMap<>();

    private final Map<LockId, NavigableMap<Long, View>> byFence = new HashMap<>();

    /** The greatest fencing tokens of the grants that were revoked. */
    private final Map<Token, Long> lastFences = new HashMap<>();

    private int contended;

    Oracle(Simulation simulation, SimulatedStore store, boolean calm) {
        this.simulation = simulation;
        this.store = store;
        this.calm = calm;
    }

    boolean isCalm() {
        return calm;
    }

    /** Records that a caller was granted a lock. */
    View began(Caller caller, LockId id, LockHandle handle) {
        View view = new View(caller, id, handle);
        simulation
                .history()
                .add(simulation.now(), view.caller, "holds ", id, " with ", view.token(), " ", handle.fencingToken());
        String end = endedEarly.remove(handle);
        if (end != null && end.equals("released")) {
            simulation.violated(view.who() + " was given a lock that had been released");
        }
        if (end != null && !end.equals("released")) {
            view.losses++;
        }
        views.put(handle, view);
        byToken.put(view.token(), view);
        byFence.computeIfAbsent(id, any -> new TreeMap<>()).put(handle.fencingToken(), view);
        if (view.isValid() && !view.isExcused()) {
            View before = latest.put(id, view);
            if (before != null && before.handle.fencingToken() >= handle.fencingToken()) {
                simulation.violated("fencing token " + handle.fencingToken() + " of " + view.who()
                        + " is not greater than " + before.handle.fencingToken() + " of " + before.who() + " before");
            }
        }
        List<View> others = open.computeIfAbsent(id, any -> new ArrayList<>(2));
        others.add(view);
        contended += others.size() == 2 ? 1 : 0;
        return view;
    }

    /** Records that a holder is about to end its hold. */
    void releases(View view) {
        view.releasing = true;
        close(view);
    }

    /** Records that a listener was notified of a release. */
    void released(LockHandle handle) {
        if (last.contains(handle)) {
            return;
        }
        View view = views.get(handle);
        if (view == null) {
            if (endedEarly.put(handle, "released") != null) {
                simulation.violated("a lock ended twice before its caller was given it");
            }
            return;
        }
        view.releases++;
        if (!view.releasing) {
            simulation.violated("the lock of " + view.who() + " was released by another hand than its own");
        }
        requireOneEnd(view);
    }

    /** Records that a listener was notified of a loss. */
    void lost(SimulatedProcess process, LockHandle handle, LossReason reason) {
        simulation.history().add(simulation.now(), process, "is told that ", handle.key(), " was lost: ", reason);
        View view = views.get(handle);
        if (view == null) {
            if (endedEarly.put(handle, reason.name()) != null) {
                simulation.violated("a lock ended twice before its caller was given it");
            }
            return;
        }
        view.losses++;
        close(view);
        requireOneEnd(view);
        if (reason == LossReason.REVOKED) {
            view.revoked = true;
            requireNamed(view.id, view.token(), handle.fencingToken());
        }
        boolean mayBeLost = reason == LossReason.SHUTDOWN
                || reason == LossReason.MAX_HOLD_TIME
                || reason == LossReason.NOT_RENEWED
                || reason == LossReason.REVOKED;
        if (calm && !mayBeLost) {
            simulation.violated(view.who() + " lost its lock for no reason: " + reason);
        }
    }

    /** Records that an operator takes a lock from the holder with a fencing token. */
    void revocationRequested(LockId id, long fencingToken) {
        revocations.computeIfAbsent(id, any -> new HashSet<>()).add(fencingToken);
    }

    /** Records that the store does not renew a lease any more, whose greatest fencing token is the given one. */
    void revokedInStore(LockId id, Token token, long lastFence) {
        // a store that has lost the counter names the lease by zero
        lastFences.put(token, lastFence == 0 ? Long.MAX_VALUE : lastFence);
        if (byToken.containsKey(token)) {
            requireNamed(id, token, Long.MIN_VALUE);
        }
    }

    /** Requires that a forced release has named a lease, with a token that is at least that of the notified holder. */
    private void requireNamed(LockId id, Token token, long atLeast) {
        Set<Long> requested = revocations.getOrDefault(id, Set.of());
        if (requested.stream().noneMatch(fence -> fence >= atLeast && isOfLease(id, token, fence))
                && store.dataLostAt() < 0) {
            simulation.violated("the lease " + token + " of " + id + " was revoked, and no forced release of "
                    + requested + " has named it");
        }
    }

    /** Whether a fencing token is that of a holder of the lease, or the greatest one of its grant. */
    private boolean isOfLease(LockId id, Token token, long fence) {
        long lastFence = lastFences.getOrDefault(token, Long.MAX_VALUE);
        Map.Entry<Long, View> holder = byFence.get(id).floorEntry(fence);
        return fence == lastFence || holder != null && holder.getValue().token().equals(token) && fence <= lastFence;
    }

    /**
     * Whether the lease may keep its remaining time: it is revoked, and its holder still works under it, or no caller has
     * it. A minority of voters may not have revoked it yet. If a lease is revoked before its grant arrives, a repeated
     * acquisition gets the answer busy.
     */
    boolean mayKeepItsTime(Leftover left) {
        View view = byToken.get(left.token());
        return view == null ? left.revoked() : !view.releasing && (left.revoked() || view.revoked);
    }

    /** Records that a lease was removed from the store before its expiry. */
    void removedFromStore(Token token) {
        View view = byToken.get(token);
        if (view == null) {
            return;
        }
        if (!view.releasing && view.isValid()) {
            simulation.violated("the lock of " + view.who() + " was removed from the store, and it does not know");
        }
        if (!view.releasing && view.revoked) {
            simulation.violated("the lease of " + view.who() + " was revoked, and removed while its holder works");
        }
        long minHold = view.caller.plan().minHold().toNanos();
        long heldFor = simulation.now() - view.acquiredAt;
        if (view.releasing && minHold > 0 && heldFor < minHold - minHold / 50 - ROUNDING) {
            simulation.violated("the minimum hold time of " + view.who() + " was cut short: " + heldFor / 1e6 + " of "
                    + minHold / 1e6 + " ms");
        }
    }

    /** Checks for two valid views of one lock, after each event. */
    void look() {
        if (contended == 0) {
            return;
        }
        for (List<View> holders : open.values()) {
            View valid = null;
            for (int i = 0; i < holders.size() && holders.size() > 1; i++) {
                View view = holders.get(i);
                if (view.isValid() && !view.isExcused()) {
                    if (valid != null) {
                        simulation.violated(valid.who() + " and " + view.who() + " both hold " + view.id + ", with "
                                + valid.token() + " and " + view.token());
                    }
                    valid = view;
                }
            }
        }
    }

    /** Records a lock that was acquired at the very end and is released immediately. */
    void given(LockHandle handle) {
        last.add(handle);
    }

    /** Requires that a shutdown leaves no lock in a store that answers (rules.md R33). */
    void afterShutdown(Node node) {
        if (calm) {
            for (Leftover left : store.leftovers()) {
                boolean excused = left.keptOnPurpose() || mayKeepItsTime(left) || arrivedAfterLastRemoval(left);
                if (left.process() == node.process() && !excused) {
                    simulation.violated(node + " was shut down and has left in the store: " + left);
                }
            }
        }
    }

    /** Whether an acquisition that its caller had given up arrived while the shutdown waited for its last answers. */
    private boolean arrivedAfterLastRemoval(Leftover left) {
        return left.lateness() > LAST_ANSWERS && simulation.now() - store.grantedAt(left.token()) < LAST_ANSWERS;
    }

    /** Requires, at the end of a history, that every hold has ended once and that all due callbacks were called. */
    void lookAtEnds() {
        for (View view : views.values()) {
            if (view.caller.process().isDead()) {
                continue;
            }
            if (view.releases + view.losses == 0) {
                simulation.violated("the hold of " + view.who() + " ended untold");
            }
            if (view.callbacks != (view.losses > 0 ? 1 : 0)) {
                simulation.violated(
                        view.who() + " was told of " + view.losses + " losses by " + view.callbacks + " callbacks");
            }
        }
    }

    private void requireOneEnd(View view) {
        if (view.releases + view.losses > 1) {
            simulation.violated("the hold of " + view.who() + " ended twice");
        }
    }

    private void close(View view) {
        List<View> holders = open.getOrDefault(view.id, List.of());
        if (holders.remove(view)) {
            contended -= holders.size() == 1 ? 1 : 0;
        }
    }

    /** A hold from its holder's point of view. */
    final class View {

        private final Caller caller;

        private final LockId id;

        private final LockHandle handle;

        private final Token token;

        private final long acquiredAt;

        private boolean releasing;

        /** Whether the holder was notified of a forced release. */
        private boolean revoked;

        private int releases;

        private int losses;

        private int callbacks;

        private View(Caller caller, LockId id, LockHandle handle) {
            this.caller = caller;
            this.id = id;
            this.handle = handle;
            this.token = SimulatedEngine.token(handle);
            this.acquiredAt = caller.process().clock().trueTimeOf(SimulatedEngine.acquiredAt(handle));
        }

        /** Records that the holder's own callback was called. */
        void calledBack() {
            callbacks++;
        }

        String who() {
            return caller.toString();
        }

        private Token token() {
            return token;
        }

        /** Whether {@code isHeld} would return true to the holder. A suspended machine does not ask. */
        private boolean isValid() {
            SimulatedClock clock = caller.process().clock();
            return !caller.process().isDead()
                    && !clock.isSuspended()
                    && SimulatedEngine.isHeld(handle, clock.peek(), clock.wallMillis());
        }

        /** Whether the store has lost its data since it granted the lock. */
        private boolean isExcused() {
            return store.grantedAt(token) <= store.dataLostAt();
        }
    }
}
