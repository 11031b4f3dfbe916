package io.leasehold.autoconfigure.property;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Adapters whose property names a locker, and that are not there all the same. Their classes are not loaded. */
public final class AbsentAdapter {

    private static final Logger log = LoggerFactory.getLogger(AbsentAdapter.class);

    private static final List<Adapter> ADAPTERS = List.of(
            new Adapter("lock.cache.locker", "leaseholdCacheCheck", "org.springframework.cache.CacheManager"),
            new Adapter(
                    "lock.integration.locker",
                    "leaseholdLockRegistryCheck",
                    "org.springframework.integration.support.locks.LockRegistry"),
            new Adapter(
                    "lock.shedlock.locker", "leaseholdLockProviderCheck", "net.javacrumbs.shedlock.core.LockProvider"));

    private AbsentAdapter() {}

    /**
     * Warns of a property whose library is missing: nothing asks the adapter for locks.
     *
     * @throws LockConfigurationException if the application was processed ahead of time without the property, so that
     *     what the adapter should lock would run unlocked
     */
    public static void check(Environment environment, ConfigurableListableBeanFactory beans) {
        for (Adapter adapter : ADAPTERS) {
            String locker = environment.getProperty(adapter.property);
            // "false" is as absent as for @ConditionalOnProperty
            if (locker != null && !locker.equalsIgnoreCase("false") && !beans.containsBean(adapter.evidence)) {
                adapter.report(environment, locker, beans.getBeanClassLoader());
            }
        }
    }

    /**
     * One adapter.
     *
     * @param property what switches it on
     * @param evidence a bean that is defined together with it
     * @param library a class of the library that it is for
     */
    private record Adapter(String property, String evidence, String library) {

        void report(Environment environment, String locker, @Nullable ClassLoader classes) {
            if (!ClassUtils.isPresent(library, classes)) {
                log.warn(
                        "'{}'{} has no effect, because the class {} is not on the class path. Add its library, or remove"
                                + " the property",
                        property,
                        PropertyOrigin.phrase(environment, property),
                        library);
            } else if (AotDetector.useGeneratedArtifacts()) {
                throw new LockConfigurationException(
                        property,
                        locker,
                        "must also be set when the application is processed ahead of time, because that decides whether"
                                + " the adapter exists",
                        "Process the application again with this property, or remove it.");
            }
        }
    }
}
