package io.leasehold.autoconfigure.adapter;

import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.CacheManager;
import org.springframework.core.env.Environment;

/**
 * Wraps the cache managers, so that their caches compute missing values under a lock. Warns if there is none, of each that
 * was created before it could be wrapped, and of each of a parent context that does not wrap it.
 */
final class CacheManagerPostProcessor implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(CacheManagerPostProcessor.class);

    private static final String LOCKER = AdapterProperties.Cache.LOCKER;

    private final Set<String> wrapped = ConcurrentHashMap.newKeySet();

    private final ObjectProvider<CacheLocks> locks;

    private final ConfigurableListableBeanFactory beans;

    private final Environment environment;

    CacheManagerPostProcessor(
            ObjectProvider<CacheLocks> locks, ConfigurableListableBeanFactory beans, Environment environment) {
        this.locks = locks;
        this.beans = beans;
        this.environment = environment;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof CacheManager manager)) {
            return bean;
        }
        wrapped.add(beanName);
        // the locks are requested with the first missing value
        return new LockingCacheManager(manager, locks::getObject);
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, CacheManager.class, true, false).length == 0) {
            log.warn(
                    "'{}'{} has no effect, because there is no bean of type CacheManager. Define one, or add"
                            + " @EnableCaching",
                    LOCKER,
                    PropertyOrigin.phrase(environment, LOCKER));
        }
        for (String name : beans.getBeanNamesForType(CacheManager.class, false, false)) {
            // a factory creates its manager when it is needed
            if (beans.containsSingleton(name) && !beans.isFactoryBean(name) && !wrapped.contains(name)) {
                log.warn(
                        "'{}'{} has no effect on the cache manager '{}', whose values are computed without a lock. It was"
                                + " created too early, because a BeanPostProcessor or a BeanFactoryPostProcessor needs"
                                + " it. Inject an ObjectProvider<CacheManager> there, and call it later",
                        LOCKER,
                        PropertyOrigin.phrase(environment, LOCKER),
                        name);
            }
        }
        warnOfAncestors();
    }

    /** The beans of a parent are created without the post-processors of its children. */
    private void warnOfAncestors() {
        Set<String> hidden = new HashSet<>();
        ListableBeanFactory child = beans;
        while (child instanceof HierarchicalBeanFactory inner
                && inner.getParentBeanFactory() instanceof ListableBeanFactory parent) {
            hidden.addAll(Arrays.asList(child.getBeanNamesForType(CacheManager.class, true, false)));
            if (!parent.containsBeanDefinition(LockCacheAutoConfiguration.ADAPTER)) {
                for (String name : parent.getBeanNamesForType(CacheManager.class, true, false)) {
                    if (!hidden.contains(name) && !parent.isTypeMatch(name, LockingCacheManager.class)) {
                        log.warn(
                                "'{}'{} has no effect on the cache manager '{}', whose values are computed without a lock."
                                        + " It is a bean of a parent of this application context. Set the property in"
                                        + " the parent's configuration, with LockCacheAutoConfiguration there, or define"
                                        + " the cache manager in this context",
                                LOCKER,
                                PropertyOrigin.phrase(environment, LOCKER),
                                name);
                    }
                }
            }
            child = parent;
        }
    }
}
