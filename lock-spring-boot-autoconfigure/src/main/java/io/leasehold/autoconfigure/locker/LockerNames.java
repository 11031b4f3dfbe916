package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads which lockers are configured.
 *
 * <p>An environment variable cannot spell a name: {@code LOCK_LOCKERS_MYDEPLOY_TTL} may mean {@code my-deploy}. So it sets
 * a property of the locker that is called so elsewhere, and makes one of its own only if there is none. Two names that
 * differ in case and punctuation only would share their properties, and are refused.
 */
final class LockerNames {

    private LockerNames() {}

    /**
     * The names of the configured lockers.
     *
     * @param environment where to look
     * @return the names, sorted
     */
    static SortedSet<LockerName> configuredIn(Environment environment) {
        Map<String, LockerName> byUniformName = new TreeMap<>();
        collect(environment, false, byUniformName);
        collect(environment, true, byUniformName);
        return new TreeSet<>(byUniformName.values());
    }

    private static void collect(Environment environment, boolean variables, Map<String, LockerName> names) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            boolean ofVariables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            if (ofVariables == variables && source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(LockerName.PARENT::isAncestorOf)
                        .map(LockerName::of)
                        .forEach(name -> add(name, variables, names));
            }
        }
    }

    private static void add(LockerName name, boolean variable, Map<String, LockerName> names) {
        LockerName other = names.putIfAbsent(name.uniform(), name);
        if (other != null && !variable && !other.value().equals(name.value())) {
            throw new LockConfigurationException(
                    LockerName.PARENT.toString(),
                    null,
                    "names one locker twice: '" + other + "' and '" + name
                            + "', since upper case and punctuation do not count in names of properties",
                    "Give the locker one name, or two lockers names that differ in letters or digits.");
        }
    }
}
