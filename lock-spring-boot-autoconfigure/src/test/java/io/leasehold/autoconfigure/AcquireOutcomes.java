package io.leasehold.autoconfigure;

import io.leasehold.LockAttempt;
import io.leasehold.LockListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Counts how the acquisitions of an application ended. */
class AcquireOutcomes implements LockListener {

    private final List<AcquireOutcome> outcomes = new CopyOnWriteArrayList<>();

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        outcomes.add(outcome);
    }

    long notAcquired() {
        return outcomes.stream()
                .filter(outcome -> outcome == AcquireOutcome.TIMEOUT)
                .count();
    }
}
