package io.leasehold.sample.deploy;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Counts how often held locks were renewed: every bean of this type is notified of what happens to locks. */
@Component
class RenewalCount implements LockListener {

    private final Map<Long, Long> byFencingToken = new ConcurrentHashMap<>();

    /** Counts from the first call on, until the lock ends. */
    long of(LockHandle handle) {
        return byFencingToken.computeIfAbsent(handle.fencingToken(), token -> 0L);
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        if (outcome == RenewOutcome.SUCCESS) {
            // on another thread than a release, and perhaps after it
            byFencingToken.computeIfPresent(handle.fencingToken(), (token, count) -> count + 1);
        }
    }

    @Override
    public void released(LockHandle handle, Duration held) {
        byFencingToken.remove(handle.fencingToken());
    }

    @Override
    public void lost(LockHandle handle, LossReason reason, Duration held) {
        byFencingToken.remove(handle.fencingToken());
    }
}
