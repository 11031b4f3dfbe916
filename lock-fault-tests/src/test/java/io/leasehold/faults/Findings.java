package io.leasehold.faults;

import io.leasehold.contract.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** What the cases of a run have shown. */
final class Findings {

    private final History history = new History();

    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    private final Map<String, FaultCase> plans = new ConcurrentHashMap<>();

    private final Set<String> keysThatMayOverlap = ConcurrentHashMap.newKeySet();

    private final Duration slack;

    private final Stalls stalls;

    private final AtomicInteger cases = new AtomicInteger();

    private final AtomicInteger losses = new AtomicInteger();

    private final AtomicLong latestTold = new AtomicLong(Long.MIN_VALUE);

    private final AtomicLong freeAfterOutage = new AtomicLong();

    private final AtomicLong freeAfterShutdown = new AtomicLong();

    private final AtomicLong slowestRecovery = new AtomicLong();

    /**
     * Nothing found yet.
     *
     * @param slack how much longer than promised a machine that is busy with other things may take
     * @param stalls what is not counted, where it is about milliseconds
     */
    Findings(Duration slack, Stalls stalls) {
        this.slack = slack;
        this.stalls = stalls;
    }

    /** In milliseconds after the next grant; negative if always before. */
    long latestTold() {
        return latestTold.get();
    }

    History history() {
        return history;
    }

    /** How much longer than promised a machine that is busy with other things may take. */
    Duration slack() {
        return slack;
    }

    void caseDone() {
        cases.incrementAndGet();
    }

    void violation(String what, FaultCase plan) {
        violations.add(what + ": " + plan);
    }

    void violation(String what) {
        violations.add(what);
    }

    /**
     * Notes that a holder was told that its lock is lost.
     *
     * @param at when it was told
     * @param grantedAt when the lock was granted to the next one
     * @return how much later than that it was told, but for the time that threads have to wait for a processor; negative
     *     if earlier
     */
    Duration told(long at, long grantedAt) {
        Duration late = Duration.ofNanos(at - grantedAt);
        if (!late.isNegative()) {
            late = late.minus(stalls.longestSince(grantedAt));
        }
        latestTold.accumulateAndGet(late.toMillis(), Math::max);
        return late;
    }

    /** Requires that a holder was told before the lock was granted to the next one. */
    void requireToldBefore(long grantedAt, long at, String of) {
        requireWithin(told(at, grantedAt), Duration.ZERO, "told after the next grant", of);
    }

    /** Notes how long after a release in an outage the lock could be had elsewhere. */
    void freeAfterOutage(long releasedAt, Duration promised, String of) {
        Duration time = since(releasedAt);
        freeAfterOutage.accumulateAndGet(time.toMillis(), Math::max);
        requireWithin(time, promised, "released in an outage, and not free", of);
    }

    /** Notes how long after a shutdown the lock of its holder could be had elsewhere. */
    void freeAfterShutdown(long shutDownAt, Duration promised, String of) {
        Duration time = since(shutDownAt);
        freeAfterShutdown.accumulateAndGet(time.toMillis(), Math::max);
        requireWithin(time, promised, "shut down, and not free", of);
    }

    /** The longest that {@link #freeAfterOutage(long, Duration, String)} was told of. */
    Duration freeAfterOutage() {
        return Duration.ofMillis(freeAfterOutage.get());
    }

    /** The longest that {@link #freeAfterShutdown(long, Duration, String)} was told of. */
    Duration freeAfterShutdown() {
        return Duration.ofMillis(freeAfterShutdown.get());
    }

    /**
     * A case begins.
     *
     * @param mayOverlap whether the store may give the lock to two at once, as its documentation says; fencing tokens rise
     *     nevertheless
     */
    void begins(String key, FaultCase plan, boolean mayOverlap) {
        plans.put("[key=" + key + ",", plan);
        if (mayOverlap) {
            keysThatMayOverlap.add("[key=" + key + ",");
        }
    }

    void loss() {
        losses.incrementAndGet();
    }

    /** How long it took until a lock that nobody held any more, in a network that was healed, was granted again. */
    void recovered(Duration time) {
        slowestRecovery.accumulateAndGet(time.toMillis(), Math::max);
    }

    /** Notes how long a lock that nobody held any more was still taken, which must be no longer than promised. */
    void recovered(Duration time, Duration promised, FaultCase plan) {
        recovered(time);
        if (time.compareTo(promised.plus(slack)) > 0) {
            violation("taken for another " + time.toMillis() + " ms", plan);
        }
    }

    private Duration since(long moment) {
        return Duration.ofNanos(System.nanoTime() - moment).minus(stalls.longestSince(moment));
    }

    private void requireWithin(Duration time, Duration allowed, String what, String of) {
        if (time.compareTo(allowed.plus(slack)) > 0) {
            violation(of + ": " + what + ", " + time.toMillis() + " ms");
        }
    }

    int cases() {
        return cases.get();
    }

    int losses() {
        return losses.get();
    }

    Duration slowestRecovery() {
        return Duration.ofMillis(slowestRecovery.get());
    }

    /** Everything that must not be, a line for each. */
    List<String> violations() {
        List<String> all = new ArrayList<>(violations);
        for (String found : history.violations()) {
            if (!found.startsWith("overlap") || keysThatMayOverlap.stream().noneMatch(found::contains)) {
                all.add(found
                        + plans.entrySet().stream()
                                .filter(plan -> found.contains(plan.getKey()))
                                .map(plan -> ": " + plan.getValue())
                                .collect(Collectors.joining()));
            }
        }
        return all;
    }
}
