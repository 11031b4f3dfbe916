package io.leasehold.benchmarks.contestant;

import java.time.Duration;

/**
 * This library with one choice of {@code max-local-handoffs}.
 *
 * @param most how many times in a row a lock is handed over inside a process
 */
public record LocalHandoffs(int most) implements Contestant {

    @Override
    public String label() {
        return "max-local-handoffs " + most;
    }

    @Override
    public String title() {
        return Integer.toString(most);
    }

    @Override
    public Role role() {
        return Role.OURS;
    }

    @Override
    public LockClient open(String store, Duration ttl) {
        return RedisContestant.leasehold(store, ttl, most);
    }
}
