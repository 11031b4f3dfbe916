package io.leasehold.faults;

import io.leasehold.contract.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The results of the cases of a run. */
final class Findings {

    /**
     * How much later than the next grant a busy machine may notify the holder. The waits for a processor do not count,
     * and only the end of its lease notifies a holder in a partition.
     */
    private static final Duration LATEST_NOTIFICATION = Duration.ofSeconds(1);

    private final History history = new History();

    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    private final Map<String, FaultCase> plans = new ConcurrentHashMap<>();

    private final Set<String> keysThatMayOverlap = ConcurrentHashMap.newKeySet();

    private final Duration slack;

    private final Stalls stalls;

    private final Map<String, Integer> answers = new ConcurrentSkipListMap<>();

    private final AtomicInteger cases = new AtomicInteger();

    private final AtomicInteger losses = new AtomicInteger();

    private final AtomicLong latestTold = new AtomicLong(Long.MIN_VALUE);

    private final AtomicLong freeAfterOutage = new AtomicLong();

    private final AtomicLong freeAfterShutdown = new AtomicLong();

    private final AtomicLong slowestRecovery = new AtomicLong();

    /**
     * Creates findings without a result.
     *
     * @param slack how far a busy machine may exceed the promised times
     * @param stalls the waits for a processor, which do not count where milliseconds matter
     */
    Findings(Duration slack, Stalls stalls) {
        this.slack = slack;
        this.stalls = stalls;
    }

    /** The latest notification, in milliseconds after the next grant; negative if all were earlier. */
    long latestTold() {
        return latestTold.get();
    }

    /** Counts an answer to a question about a lock or to a forced release, or the fate of a renewed lock. */
    void answer(Operation operation, String answer) {
        answers.merge(operation + " " + answer, 1, Integer::sum);
    }

    /** How many questions and forced releases had which answer, and how many renewed locks had which fate. */
    Map<String, Integer> answers() {
        return answers;
    }

    History history() {
        return history;
    }

    /** How far a busy machine may exceed the promised times. */
    Duration slack() {
        return slack;
    }

    void caseDone() {
        cases.incrementAndGet();
    }

    /** The longest time that a thread had to wait for a processor since a moment. */
    Duration longestStallSince(long moment) {
        return stalls.longestSince(moment);
    }

    void violation(String what, FaultCase plan) {
        violations.add(what + ": " + plan);
    }

    void violation(String what) {
        violations.add(what);
    }

    /**
     * Records that a holder was notified of the loss of its lock.
     *
     * @param at when it was notified
     * @param grantedAt when the lock was granted to the next holder
     * @return how much later than the grant the notification was, without the time that threads had to wait for a
     *     processor; negative if earlier
     */
    Duration told(long at, long grantedAt) {
        Duration late = Duration.ofNanos(at - grantedAt);
        if (!late.isNegative()) {
            late = late.minus(stalls.longestSince(grantedAt));
        }
        latestTold.accumulateAndGet(late.toMillis(), Math::max);
        return late;
    }

    /** Requires that a holder was notified before the lock was granted to the next holder. */
    void requireNotifiedBefore(long grantedAt, long at, String of) {
        Duration allowed = slack.compareTo(LATEST_NOTIFICATION) < 0 ? slack : LATEST_NOTIFICATION;
        requireWithin(told(at, grantedAt), allowed, "told after the next grant", of);
    }

    /** Records how long after a release in an outage another process could acquire the lock. */
    void freeAfterOutage(long releasedAt, Duration promised, String of) {
        Duration time = since(releasedAt);
        freeAfterOutage.accumulateAndGet(time.toMillis(), Math::max);
        requireWithin(time, promised.plus(slack), "released in an outage, and not free", of);
    }

    /** Records how long after a shutdown another process could acquire the lock of its holder. */
    void freeAfterShutdown(long shutDownAt, Duration promised, String of) {
        Duration time = since(shutDownAt);
        freeAfterShutdown.accumulateAndGet(time.toMillis(), Math::max);
        requireWithin(time, promised.plus(slack), "shut down, and not free", of);
    }

    /** The longest time recorded by {@link #freeAfterOutage(long, Duration, String)}. */
    Duration freeAfterOutage() {
        return Duration.ofMillis(freeAfterOutage.get());
    }

    /** The longest time recorded by {@link #freeAfterShutdown(long, Duration, String)}. */
    Duration freeAfterShutdown() {
        return Duration.ofMillis(freeAfterShutdown.get());
    }

    /**
     * Records the start of a case.
     *
     * @param mayOverlap whether the store may grant the lock to two holders at the same time, as documented; fencing
     *     tokens increase nevertheless
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

    /** Records how long it took until a lock without a holder was granted again after the network was healed. */
    void recovered(Duration time) {
        slowestRecovery.accumulateAndGet(time.toMillis(), Math::max);
    }

    /** Records how long a lock without a holder was still taken. The time must not exceed the promise. */
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
        if (time.compareTo(allowed) > 0) {
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

    /** All violations, one line for each. */
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
