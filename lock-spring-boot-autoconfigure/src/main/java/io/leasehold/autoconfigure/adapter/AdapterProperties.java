package io.leasehold.autoconfigure.adapter;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.CacheLocks.OnFailure;
import io.leasehold.autoconfigure.locker.NoSuchLockerException;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import io.leasehold.autoconfigure.property.ReplacedBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The properties of the adapters. An adapter is off until its locker is named. */
final class AdapterProperties {

    private static final Logger log = LoggerFactory.getLogger(AdapterProperties.class);

    private AdapterProperties() {}

    /** Warns of a property that has no effect, because a bean of the application replaces the adapter's. */
    static BeanFactoryPostProcessor replacementCheck(
            Environment environment, String property, String adapter, Class<?>... replacements) {
        return beans -> ReplacedBean.warnOf(environment, property, beans, adapter, replacements);
    }

    /** Warns of a locker that is not used, because the locks of caches are a bean of the application. */
    static BeanFactoryPostProcessor cacheLocksCheck(Environment environment, String wrapper, String locks) {
        return beans -> {
            if (beans.containsBeanDefinition(wrapper) && !beans.containsBeanDefinition(locks)) {
                log.warn(
                        "'{}'{} wraps the cache managers, but its locker is not used, because the application defines the"
                                + " bean '{}' of type CacheLocks. Remove that bean, or define a bean of type"
                                + " LockingCacheManager with it and remove the property",
                        Cache.LOCKER,
                        PropertyOrigin.phrase(environment, Cache.LOCKER),
                        ReplacedBean.names(beans, CacheLocks.class));
            }
        };
    }

    /** Finds the locker that a property names. */
    static Locker locker(LockerRegistry lockers, String property, @Nullable String name) {
        if (!StringUtils.hasText(name)) {
            throw new LockConfigurationException(
                    property, name, "must be the name of a locker", "Name one of " + lockers.names() + ".");
        }
        try {
            return lockers.get(name);
        } catch (NoSuchLockerException ex) {
            throw new LockConfigurationException(
                    property, name, "names no locker; there are " + lockers.names(), ex.nextStep());
        }
    }

    /**
     * Caches over a locker.
     *
     * @param locker Locker under which caches compute missing values of methods with sync = true, once over all instances.
     *     If set, all CacheManager beans are wrapped.
     * @param onFailure Reaction if the lock of a value is not acquired within its wait time, or its store fails.
     */
    @ConfigurationProperties("lock.cache")
    record Cache(
            @Nullable String locker,
            @DefaultValue("compute") OnFailure onFailure) {

        static final String LOCKER = "lock.cache.locker";

        static final String ON_FAILURE = "lock.cache.on-failure";
    }

    /**
     * Spring Integration over a locker.
     *
     * @param locker Locker from which Spring Integration takes its locks. If set, a LockRegistry bean is defined, unless
     *     the application defines one.
     */
    @ConfigurationProperties("lock.integration")
    record Integration(@Nullable String locker) {

        static final String LOCKER = "lock.integration.locker";
    }

    /**
     * ShedLock over a locker.
     *
     * @param locker Locker from which ShedLock takes its locks. If set, a LockProvider bean is defined, unless the
     *     application defines one.
     */
    @ConfigurationProperties("lock.shedlock")
    record ShedLock(@Nullable String locker) {

        static final String LOCKER = "lock.shedlock.locker";
    }
}
