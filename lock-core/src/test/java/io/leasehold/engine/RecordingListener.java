package io.leasehold.engine;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.RenewalRound;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records its notifications, one word or two each. */
final class RecordingListener implements LockListener {

    final Queue<String> events = new ConcurrentLinkedQueue<>();

    /** Beginnings and ends, with the key and the time waited. */
    final Queue<String> acquisitions = new ConcurrentLinkedQueue<>();

    /** The hold time of each lock that is no longer held. */
    final List<Duration> heldFor = new CopyOnWriteArrayList<>();

    final List<Boolean> connections = new CopyOnWriteArrayList<>();

    final List<RenewalRound> rounds = new CopyOnWriteArrayList<>();

    @Override
    public void connectEnded(String locker, boolean connected) {
        connections.add(connected);
    }

    @Override
    public void acquireStarted(LockAttempt attempt) {
        acquisitions.add("started " + attempt.key());
    }

    @Override
    public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
        events.add("acquire " + outcome);
        acquisitions.add(outcome + " " + attempt.key() + " after " + waited);
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        events.add("released");
        heldFor.add(held);
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        events.add("renew " + outcome);
    }

    @Override
    public void renewalRound(RenewalRound round) {
        rounds.add(round);
    }

    @Override
    public void atRisk(LockHandle handle) {
        events.add("at risk");
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        events.add("lost " + reason);
        heldFor.add(held);
    }
}
