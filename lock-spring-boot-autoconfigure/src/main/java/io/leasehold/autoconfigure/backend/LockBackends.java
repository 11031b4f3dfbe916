package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.SafeLogging;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The stores of lockers, each created when the first locker needs it. A store is created by a
 * {@link LockBackendFactory}, is the Redis of a single locker, or is a bean of the application of type
 * {@link LockBackend} under its bean name.
 */
public final class LockBackends implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LockBackends.class);

    private final Map<String, LockBackendFactory> factories;

    private final BackendResolver resolver;

    private final DedicatedRedis.Stores ownRedis;

    private final ConfigurableListableBeanFactory beans;

    private final Map<String, LockBackend> made = new LinkedHashMap<>();

    private final List<PausableLockBackend> pausable = new ArrayList<>();

    private final Map<String, LockBackend> used = new TreeMap<>();

    private boolean closed;

    public LockBackends(
            Collection<LockBackendFactory> factories,
            DedicatedRedis.Stores ownRedis,
            ConfigurableListableBeanFactory beans) {
        this.ownRedis = ownRedis;
        this.factories = factories.stream().collect(Collectors.toMap(LockBackendFactory::backend, Function.identity()));
        this.beans = beans;
        this.resolver = new BackendResolver(this.factories, ownRedis, beans);
    }

    /** Rejects a locker that the store of that name could never serve. */
    public void check(String name, LockerSettings settings) {
        LockBackendFactory factory = factories.get(name);
        if (factory != null) {
            factory.check(settings);
        }
    }

    /**
     * The name of the store that a choice selects.
     *
     * @throws LockConfigurationException as {@link BackendResolver#resolve}
     */
    public String name(BackendChoice choice) {
        return resolver.resolve(choice);
    }

    /** Whether the application defines stores itself, whose findings are not known here. */
    public boolean hasStoresOfApplication() {
        return !resolver.ownBeans().isEmpty();
    }

    /**
     * A store, created by the first call for it.
     *
     * @param name a result of {@link #name}
     */
    public LockBackend get(String name) {
        LockBackend known = known(name);
        if (known != null) {
            return known;
        }
        LockBackendFactory factory = factories.get(name);
        DedicatedRedis own = ownRedis.find(name);
        // Without the monitor: the store needs beans, which a thread that waits for the monitor may be creating.
        LockBackend created;
        if (own != null) {
            created = new PausableLockBackend(() -> ownRedis.create(own), store -> {});
        } else if (factory == null) {
            beans.registerDependentBean(name, ClientBeanResolver.LOCK_BACKENDS);
            created = beans.getBean(name, LockBackend.class);
        } else {
            created = factory.hasConnections()
                    ? new PausableLockBackend(factory::create, factory::created)
                    : factory.create();
        }
        LockBackend winner = adopt(name, created, factory != null || own != null);
        if (winner == created && created instanceof PausableLockBackend store) {
            store.announce();
        }
        return winner;
    }

    /** Whether the store is inside this process, so that no other application has its locks. */
    public boolean isInProcess(String name) {
        LockBackendFactory factory = factories.get(name);
        return factory != null && !factory.hasConnections();
    }

    private synchronized @Nullable LockBackend known(String name) {
        return used.get(name);
    }

    /** Uses a store, unless another thread was faster. */
    private synchronized LockBackend adopt(String name, LockBackend created, boolean closeable) {
        if (closed && !used.containsKey(name)) {
            endAll(closeable ? List.of(created) : List.of(), LockBackend::close);
            throw new IllegalStateException("store '" + name
                    + "' is not opened, since the application context is closed. End the work before it is closed");
        }
        LockBackend winner = used.putIfAbsent(name, created);
        if (winner != null) {
            if (closeable && winner != created) {
                created.close();
            }
            return winner;
        }
        if (closeable) {
            made.put(name, created);
        }
        if (created instanceof PausableLockBackend store) {
            pausable.add(store);
        }
        return created;
    }

    /** A copy of the stores that are in use. */
    public synchronized Map<String, LockBackend> used() {
        return new TreeMap<>(used);
    }

    /** The place where the application configures a store that is in use, for messages: properties or a bean. */
    public String setBy(String name) {
        LockBackendFactory factory = factories.get(name);
        if (factory != null) {
            return factory.setBy();
        }
        DedicatedRedis own = ownRedis.find(name);
        return own == null ? "the bean '" + name + "'" : "'" + own.property() + "'";
    }

    /**
     * A store that is in use and was created by a {@link LockBackendFactory}.
     *
     * @param name a name of {@link #used}
     * @return empty if there is no such store, if it has another type, or if the application is stopped
     */
    public synchronized <T extends LockBackend> Optional<T> find(String name, Class<T> type) {
        LockBackend backend = used.get(name);
        return backend instanceof PausableLockBackend store
                ? store.as(type)
                : Optional.ofNullable(backend).filter(type::isInstance).map(type::cast);
    }

    /** Closes the connections of the stores, until {@link #resume}. The beans of the application are not affected. */
    public synchronized void pause() {
        endAll(pausable, PausableLockBackend::pause);
    }

    /** Lets the stores open connections again, when they need them. */
    public synchronized void resume() {
        pausable.forEach(PausableLockBackend::resume);
    }

    @Override
    public synchronized void close() {
        closed = true;
        endAll(made.values(), LockBackend::close);
    }

    /** Ends each, also if another one fails. */
    private static <T extends LockBackend> void endAll(Collection<T> all, Consumer<T> end) {
        for (T one : all) {
            try {
                end.accept(one);
            } catch (Throwable ex) {
                SafeLogging.log(
                        () -> log.warn("A store was not closed. Its connections may last until the process ends", ex));
            }
        }
    }
}
