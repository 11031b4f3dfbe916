package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.aop.transaction.TransactionAwareLocker;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Creates the locker beans that {@link LockersRegistrar} has defined, and those that the application creates at run
 * time.
 */
public final class LockerFactory implements CreatedLockers.Source {

    public static final String BEAN = "leaseholdLockerFactory";

    private static final String NO_BACKEND = "none";

    private static final Logger log = LoggerFactory.getLogger(LockerFactory.class);

    private final List<Consumer<String>> created = new CopyOnWriteArrayList<>();

    private final List<Consumer<String>> forgotten = new CopyOnWriteArrayList<>();

    private final AtomicBoolean noticed = new AtomicBoolean();

    private final LockEngine engine;

    private final LockBackends backends;

    private final ObjectProvider<LockerGuard> guard;

    private final LockerConfigurations configurations;

    private final LockKeyCustomizers keyCustomizers;

    private final boolean maskKeys;

    private final LeakDetection leakDetection;

    private final Map<String, LeaseLocker> made = new ConcurrentHashMap<>();

    public LockerFactory(
            LockEngine engine,
            LockBackends backends,
            ObjectProvider<LockerGuard> guard,
            LockerConfigurations configurations,
            LockKeyCustomizers keyCustomizers,
            boolean maskKeys,
            boolean leakDetection) {
        this.engine = engine;
        this.backends = backends;
        this.guard = guard;
        this.configurations = configurations;
        this.keyCustomizers = keyCustomizers;
        this.maskKeys = maskKeys;
        this.leakDetection = new LeakDetection(leakDetection);
    }

    /** The locker of a bean. */
    public Locker locker(String name) {
        Locker locker = create(name);
        try {
            opened(name);
        } catch (Throwable ex) {
            // the bean is not created, and the next call for it creates another locker
            close(name);
            forget(name);
            throw ex;
        }
        return locker;
    }

    private Locker create(String name) {
        LockerConfiguration configuration = configurations.get(name);
        String store = backends.name(configuration.backend());
        backends.check(store, configuration.settings());
        LeaseLocker locker = engine.locker(
                configuration.settings(),
                store,
                backends.setBy(store),
                backends.get(store),
                raw -> guarded(raw, configuration));
        made.put(name, locker);
        if (configuration.namespaceIsUndecided() && !backends.isInProcess(store) && !noticed.getAndSet(true)) {
            log.info(
                    "Locker '{}' keeps its locks under '{}:' in store '{}', and shares them with every application that has a"
                            + " locker of that name there; other lockers likewise. If that is not meant,"
                            + " set 'lock.namespace', for example to ${spring.application.name}; if it is, set it to"
                            + " nothing",
                    name,
                    configuration.settings().namespace(),
                    store);
        }
        Locker masking = KeyMaskingLocker.of(locker, maskKeys);
        // inside of the transactions, which refer to the handles that they release
        return TransactionAwareLocker.of(keyCustomizers.around(leakDetection.around(masking)));
    }

    @Override
    public Locker open(String name, UnaryOperator<LockerSettings> settings) {
        configurations.create(name, settings);
        try {
            return create(name);
        } catch (RuntimeException ex) {
            configurations.forget(name);
            throw ex;
        }
    }

    @Override
    public void opened(String name) {
        created.forEach(observer -> observer.accept(name));
    }

    @Override
    public void close(String name) {
        LeaseLocker locker = made.get(name);
        if (locker != null) {
            engine.close(locker);
        }
    }

    @Override
    public void forget(String name) {
        made.remove(name);
        configurations.forget(name);
        forgotten.forEach(observer -> observer.accept(name));
        guard.ifAvailable(breakers -> breakers.forget(name));
    }

    /**
     * Notifies observers of the names of lockers.
     *
     * @param created receives those that were created so far, and those that will be created; a name may be passed twice
     * @param forgotten receives those that were closed
     */
    public void observe(Consumer<String> created, Consumer<String> forgotten) {
        this.created.add(created);
        this.forgotten.add(forgotten);
        made.keySet().forEach(created);
    }

    /**
     * The status of a locker, also of one that the application has created with the engine. There is no store before the
     * locker is created.
     */
    public LockerStatus status(String name) {
        LeaseLocker locker = made.get(name);
        return locker == null
                ? engine.status(name).orElseGet(() -> LockerStatus.idle(name, NO_BACKEND))
                : locker.status();
    }

    private LockBackend guarded(LockBackend store, LockerConfiguration locker) {
        if (!locker.circuitBreaker().settings().isEnabled()) {
            return store;
        }
        LockerGuard breakers = guard.getIfAvailable();
        if (breakers == null) {
            throw new LockConfigurationException(
                    locker.circuitBreaker().enabledBy(),
                    null,
                    "needs Resilience4j",
                    "Add io.github.resilience4j:resilience4j-circuitbreaker, or take the property out.");
        }
        return breakers.guard(locker, store);
    }

    /** Decorates the store of a locker. */
    @FunctionalInterface
    public interface LockerGuard {

        /** Decorates the store of one locker. */
        LockBackend guard(LockerConfiguration locker, LockBackend store);

        /** Forgets a locker that was closed. */
        default void forget(String locker) {}
    }
}
