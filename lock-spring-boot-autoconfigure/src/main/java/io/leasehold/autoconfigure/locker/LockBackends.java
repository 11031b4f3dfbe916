package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.locker.LockerConfiguration.BackendChoice;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.NearestName;
import io.leasehold.support.SafeLogging;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * The stores of lockers, each created when the first locker needs it. A store is created by a
 * {@link LockBackendFactory}, is the Redis of a single locker, or is a bean of the application of type
 * {@link LockBackend} under its bean name.
 */
public final class LockBackends implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LockBackends.class);

    private static final String AS_PROCESSED =
            " The property must also be set when the application is processed ahead of time.";

    private final Map<String, LockBackendFactory> factories;

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
     * @param choice the configuration
     * @return the name of an existing store
     * @throws LockConfigurationException if the named store is missing, or none is named and not exactly one is
     *     configured
     */
    public String name(BackendChoice choice) {
        for (LockBackendFactory factory : factories.values()) {
            if (factory.replacesOthers()) {
                return factory.backend();
            }
        }
        return chosen(choice);
    }

    private String chosen(BackendChoice choice) {
        DedicatedRedis own = choice.ownRedis();
        if (own != null) {
            return ownRedis.name(choice, own);
        }
        String backend = choice.backend();
        if (backend == null) {
            return onlyConfigured(choice.property());
        }
        if (!factories.containsKey(backend) && !beans.containsBean(backend)) {
            throw new LockConfigurationException(
                    choice.property(),
                    backend,
                    "must be a store that is there, one of " + available(),
                    BackendType.of(backend)
                            .map(BackendType::requirement)
                            .orElseGet(() -> NearestName.of(backend, available())
                                            .map(near -> "Did you mean '" + near + "'? Otherwise define")
                                            .orElse("Correct the name, or define")
                                    + " a bean of type LockBackend with that name."));
        }
        return backend;
    }

    private String onlyConfigured(String property) {
        requireModules();
        SortedSet<String> configured = new TreeSet<>(ownBeans());
        for (LockBackendFactory factory : factories.values()) {
            if (factory.isConfigured()) {
                configured.add(factory.backend());
            }
        }
        if (configured.size() == 1) {
            return configured.first();
        }
        if (configured.isEmpty()) {
            throw new LockConfigurationException(
                    property,
                    null,
                    "must be set, since no store is configured in which to keep locks",
                    howToConfigure(property));
        }
        throw new LockConfigurationException(
                property,
                null,
                "must be set, since locks could be kept in several stores: " + String.join(", ", configured),
                "Set '" + property
                        + "' to one of them, and 'lock.lockers.<name>.backend' for lockers that use another.");
    }

    /** An address of a store that is not there would be ignored, and the locks be kept in another store. */
    private void requireModules() {
        Environment environment = beans.getBeanProvider(Environment.class).getIfAvailable();
        for (BackendType type : BackendType.values()) {
            if (environment != null && !factories.containsKey(type.backend())) {
                type.addressIn(environment).ifPresent(address -> {
                    throw new LockConfigurationException(
                            address,
                            null,
                            "configures a store that is not there",
                            type.requirement() + (AotDetector.useGeneratedArtifacts() ? AS_PROCESSED : "")
                                    + " Otherwise remove the property, or set 'lock.backend' to the store that is meant.");
                });
            }
        }
    }

    private String howToConfigure(String property) {
        String how = factories.containsKey(BackendType.REDIS.backend())
                ? "To lock in Redis, set 'spring.data.redis.host' or 'spring.data.redis.url', or '" + property
                        + "=redis' for the one at localhost:6379."
                : BackendType.REDIS.requirement();
        return how + " Or set '" + property + "' to one of " + available() + "; 'memory' locks within one JVM only.";
    }

    /** Whether the application defines stores itself, whose findings are not known here. */
    public boolean hasStoresOfApplication() {
        return !ownBeans().isEmpty();
    }

    /** The application's own stores; only the primary one if there is one. */
    private List<String> ownBeans() {
        List<String> names = Stream.of(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockBackend.class, true, false))
                .filter(name -> definition(name)
                        .map(store -> store.isAutowireCandidate() && store.isDefaultCandidate())
                        .orElse(true))
                .toList();
        List<String> primary = names.stream()
                .filter(name ->
                        definition(name).map(AbstractBeanDefinition::isPrimary).orElse(false))
                .toList();
        return primary.size() == 1 ? primary : names;
    }

    private Optional<AbstractBeanDefinition> definition(String name) {
        try {
            return beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
                    ? Optional.of(definition)
                    : Optional.empty();
        } catch (NoSuchBeanDefinitionException singletonWithoutDefinition) {
            return Optional.empty();
        }
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
    boolean isInProcess(String name) {
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

    private Collection<String> available() {
        Collection<String> names = new TreeSet<>(factories.keySet());
        names.addAll(List.of(beans.getBeanNamesForType(LockBackend.class, true, false)));
        return names;
    }
}
