package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it is told, one word or two each. */
final class RecordingListener implements LockListener {

    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void acquireEnded(String locker, String key, AcquireOutcome outcome, Duration waited) {
        events.add("acquire " + outcome);
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        events.add("released");
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        events.add("renew " + outcome);
    }

    @Override
    public void atRisk(LockHandle handle) {
        events.add("at risk");
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        events.add("lost " + reason);
    }
}
