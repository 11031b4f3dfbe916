package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.aop.transaction.TransactionAwareLocker;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.spi.LockBackend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the locker beans that {@link LockersRegistrar} has defined. */
public final class LockerFactory {

    public static final String BEAN = "lockerFactory";

    private final LockEngine engine;

    private final LockBackends backends;

    private final ObjectProvider<LockerGuard> guard;

    private final LockerConfigurations configurations;

    private final MadeLockers made;

    public LockerFactory(
            LockEngine engine,
            LockBackends backends,
            ObjectProvider<LockerGuard> guard,
            LockerConfigurations configurations,
            MadeLockers made) {
        this.engine = engine;
        this.backends = backends;
        this.guard = guard;
        this.configurations = configurations;
        this.made = made;
    }

    public Locker locker(String name) {
        LockerConfiguration configuration = configurations.get(name);
        String store = backends.name(configuration.backend());
        LeaseLocker locker = engine.locker(configuration.settings(), store, backend(store, configuration));
        made.add(locker);
        return TransactionAwareLocker.of(locker);
    }

    private LockBackend backend(String name, LockerConfiguration locker) {
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

    /** The lockers that {@link LockerFactory} has made so far. Depends on nothing, so that listeners can look at lockers. */
    public static final class MadeLockers {

        static final String NO_BACKEND = "none";

        private final Map<String, LeaseLocker> byName = new ConcurrentHashMap<>();

        void add(LeaseLocker locker) {
            byName.put(locker.name(), locker);
        }

        /**
         * What a locker is doing.
         *
         * @param name the locker's name
         * @return a snapshot; it locks nowhere if it was not made here, or not yet
         */
        public LockerStatus status(String name) {
            LeaseLocker locker = byName.get(name);
            return locker == null ? new LockerStatus(name, NO_BACKEND, List.of(), 0, 0) : locker.status();
        }

        public Iterable<String> names() {
            return byName.keySet();
        }
    }

    /** Puts something between a locker and its store. */
    @FunctionalInterface
    public interface LockerGuard {

        /**
         * Guards the store of one locker.
         *
         * @param locker how the locker is configured
         * @param store where it locks
         * @return what it is to use instead
         */
        LockBackend guard(LockerConfiguration locker, LockBackend store);
    }
}
