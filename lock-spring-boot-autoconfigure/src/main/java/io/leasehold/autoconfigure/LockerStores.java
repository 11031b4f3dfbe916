package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The store of each locker, with what is to stand between the two.
 *
 * @param backends the stores
 * @param guard the circuit breakers, if their library is there
 */
record LockerStores(LockBackends backends, ObjectProvider<LockerGuard> guard) {

    String name(LockerConfiguration locker) {
        return backends.name(locker.backend());
    }

    LockBackend get(String name, LockerConfiguration locker) {
        backends.check(name, locker.settings());
        if (!locker.circuitBreaker().isEnabled()) {
            return backends.get(name);
        }
        LockerGuard breakers = guard.getIfAvailable();
        if (breakers == null) {
            throw new LockConfigurationException(
                    "lock.circuit-breaker.enabled",
                    null,
                    "needs Resilience4j",
                    "Add io.github.resilience4j:resilience4j-circuitbreaker, or take the property out.");
        }
        return breakers.guard(locker, backends.get(name));
    }
}
