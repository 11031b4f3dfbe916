package io.leasehold.sample.deploy;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Counts how often each held lock was renewed: every bean of this type is told what happens to locks. */
@Component
class RenewalCount implements LockListener {

    private final Map<Long, Long> byFencingToken = new ConcurrentHashMap<>();

    long of(LockHandle handle) {
        return byFencingToken.getOrDefault(handle.fencingToken(), 0L);
    }

    @Override
    public void renewed(LockHandle handle, RenewOutcome outcome) {
        if (outcome == RenewOutcome.SUCCESS) {
            byFencingToken.merge(handle.fencingToken(), 1L, Long::sum);
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
