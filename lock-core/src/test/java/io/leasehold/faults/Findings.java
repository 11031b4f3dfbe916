package io.leasehold.faults;

import io.leasehold.testsupport.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the cases of a run have shown. */
final class Findings {

    private final History history = new History();

    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    private final Set<String> keysThatMayOverlap = ConcurrentHashMap.newKeySet();

    private final AtomicInteger cases = new AtomicInteger();

    private final AtomicInteger losses = new AtomicInteger();

    private final AtomicLong slowestRecovery = new AtomicLong();

    History history() {
        return history;
    }

    void caseDone() {
        cases.incrementAndGet();
    }

    void violation(String what, FaultCase plan) {
        violations.add(what + ": " + plan);
    }

    /** The store may have given this lock to two at once, as its documentation says; fencing tokens rise nevertheless. */
    void mayOverlap(String key) {
        keysThatMayOverlap.add("[key=" + key + ",");
    }

    void loss() {
        losses.incrementAndGet();
    }

    /** How long it took until a lock that nobody held any more, in a network that was healed, was granted again. */
    void recovered(Duration time) {
        slowestRecovery.accumulateAndGet(time.toMillis(), Math::max);
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
                all.add(found);
            }
        }
        return all;
    }
}
