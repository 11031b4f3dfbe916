package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Resolves the store of a locker: the one that the configuration names, otherwise the only one that is configured.
 * Creates no store.
 */
final class BackendResolver {

    private static final String AS_PROCESSED =
            " The property must also be set when the application is processed ahead of time.";

    private final Map<String, LockBackendFactory> factories;

    private final DedicatedRedis.Stores ownRedis;

    private final ConfigurableListableBeanFactory beans;

    BackendResolver(
            Map<String, LockBackendFactory> factories,
            DedicatedRedis.Stores ownRedis,
            ConfigurableListableBeanFactory beans) {
        this.factories = factories;
        this.ownRedis = ownRedis;
        this.beans = beans;
    }

    /**
     * The name of the store that a choice selects.
     *
     * @return the name of an existing store
     * @throws LockConfigurationException if the named store is missing, or none is named and not exactly one is
     *     configured
     */
    String resolve(BackendChoice choice) {
        for (LockBackendFactory factory : factories.values()) {
            if (factory.replacesOthers()) {
                return factory.backend();
            }
        }
        DedicatedRedis own = choice.ownRedis();
        if (own != null) {
            return ownRedis.name(choice, own);
        }
        String backend = choice.backend();
        requireOneStore(choice.property(), backend);
        if (backend == null) {
            return onlyConfigured(choice.property());
        }
        if (!factories.containsKey(backend) && !isBean(backend)) {
            throw new LockConfigurationException(
                    choice.property(),
                    backend,
                    "must be a store that is there, one of " + available(),
                    BackendType.of(backend)
                            .map(this::requirement)
                            .orElseGet(() -> NearestName.of(backend, available())
                                            .map(near -> "Did you mean '" + near + "'? Otherwise define")
                                            .orElse("Correct the name, or define")
                                    + " a bean of type LockBackend with that name."));
        }
        return backend;
    }

    /** The library's own store would be used in place of a bean of its name. */
    private void requireOneStore(String property, @Nullable String backend) {
        for (String bean : backend == null ? ownBeans() : List.of(backend)) {
            if (factories.containsKey(bean) && isBean(bean)) {
                throw new LockConfigurationException(
                        property,
                        backend,
                        "cannot select a store: '" + bean + "' is the name of a bean of type LockBackend and of a store"
                                + " of this library",
                        "Rename the bean, and set '" + property + "' to the store that is meant.");
            }
        }
    }

    private boolean isBean(String backend) {
        return beans.containsBean(backend) && beans.isTypeMatch(backend, LockBackend.class);
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
                            requirement(type) + (AotDetector.useGeneratedArtifacts() ? AS_PROCESSED : "")
                                    + " Otherwise remove the property, or set 'lock.backend' to the store that is meant.");
                });
            }
        }
    }

    private String howToConfigure(String property) {
        return howToAddress(property) + " Or set '" + property + "' to one of " + available()
                + "; 'memory' locks within one JVM only.";
    }

    private String howToAddress(String property) {
        if (factories.containsKey(BackendType.REDIS.backend())) {
            return "To lock in Redis, set 'spring.data.redis.host' or 'spring.data.redis.url', or '" + property
                    + "=redis' for the one at localhost:6379.";
        }
        List<String> addresses = Stream.of(BackendType.values())
                .filter(type -> factories.containsKey(type.backend()))
                .flatMap(type -> type.address().stream())
                .toList();
        return addresses.isEmpty()
                ? requirement(BackendType.REDIS)
                : "Configure a store with '" + String.join("' or '", addresses) + "'.";
    }

    /** A property is advice only if the client that it configures is there. */
    private String requirement(BackendType type) {
        return type == BackendType.REDIS && ownRedis.hasClient()
                ? type.requirement() + " Or set 'lock.redis.host'."
                : type.requirement();
    }

    /** The application's own stores; only the primary one if there is one. */
    List<String> ownBeans() {
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

    private Collection<String> available() {
        Collection<String> names = new TreeSet<>(factories.keySet());
        names.addAll(List.of(beans.getBeanNamesForType(LockBackend.class, true, false)));
        return names;
    }
}
