package io.leasehold.actuate;

import io.leasehold.actuate.StoreProbe.StoreState;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down if a store that lockers use does not answer in time. Findings about unsafe settings of a store are details; they
 * do not make the application unhealthy.
 */
public final class LockHealthIndicator extends AbstractHealthIndicator {

    private final StoreProbe probe;

    /** Creates an indicator that asks the stores through a probe. */
    public LockHealthIndicator(StoreProbe probe) {
        super("Lock health check failed");
        this.probe = probe;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, StoreState> states = probe.probe();
        builder.up();
        states.forEach((store, state) -> {
            if (!state.reachable()) {
                builder.down();
            }
            builder.withDetail(store, state);
        });
    }
}
