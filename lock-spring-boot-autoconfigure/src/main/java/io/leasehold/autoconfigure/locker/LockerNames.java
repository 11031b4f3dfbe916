package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads the names of the configured lockers.
 *
 * <p>An environment variable cannot spell a name exactly: {@code LOCK_LOCKERS_MYDEPLOY_TTL} may mean {@code my-deploy}.
 * It therefore sets a property of the locker that another source configures under such a name, and defines a locker
 * only if there is none. A variable that sets no property of a locker is assumed to have another purpose, such as those
 * of a Kubernetes service. Two names that differ only in case and punctuation would share their properties, and are
 * rejected.
 */
final class LockerNames {

    /** Settings that contain other settings. */
    private static final Set<String> GROUPS = Set.of("redis", "circuitbreaker");

    private LockerNames() {}

    /** The names of the configured lockers, sorted. */
    static SortedSet<LockerName> configuredIn(Environment environment) {
        Map<String, Configured> byUniformName = new TreeMap<>();
        collect(environment, false, byUniformName);
        collect(environment, true, byUniformName);
        return byUniformName.values().stream().map(Configured::locker).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void collect(Environment environment, boolean variables, Map<String, Configured> names) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            boolean ofVariables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            if (ofVariables == variables && source instanceof IterableConfigurationPropertySource iterable) {
                for (ConfigurationPropertyName name : iterable) {
                    if (LockerName.PARENT.isAncestorOf(name) && (!variables || setsAProperty(name, source))) {
                        requireSettings(name, source);
                        add(new Configured(LockerName.of(name), name, source), variables, names);
                    }
                }
            }
        }
    }

    /**
     * Describes the variables that have the form of a locker's property but set none, with their origins. They have
     * another purpose or are misspelled.
     */
    static SortedSet<String> variablesThatSetNothing(Environment environment) {
        SortedSet<String> found = new TreeSet<>();
        SortedSet<LockerName> lockers = configuredIn(environment);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
                    && source instanceof IterableConfigurationPropertySource iterable) {
                for (ConfigurationPropertyName name : iterable) {
                    ConfigurationProperty property = LockerName.PARENT.isAncestorOf(name)
                                    && lockers.stream().noneMatch(locker -> sets(name, locker))
                            ? source.getConfigurationProperty(name)
                            : null;
                    if (property != null) {
                        found.add(String.valueOf(property.getOrigin()));
                    }
                }
            }
        }
        return found;
    }

    /** Whether the variable sets a property of the locker. A name with dots cannot be spelled by one. */
    private static boolean sets(ConfigurationPropertyName variable, LockerName locker) {
        String letters = letters(variable, LockerName.PARENT.getNumberOfElements());
        return !locker.value().contains(".")
                && letters.startsWith(locker.uniform())
                && isASetting(letters.substring(locker.uniform().length()));
    }

    /** Variables have no hyphens, and may have underscores in their place: WAITTIME and WAIT_TIME are wait-time. */
    private static boolean setsAProperty(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        String setting = letters(name, LockerName.PARENT.getNumberOfElements() + 1);
        if (setting.isEmpty()) {
            ConfigurationProperty entry = source.getConfigurationProperty(name);
            return entry != null && String.valueOf(entry.getValue()).isEmpty();
        }
        return isASetting(setting);
    }

    private static String letters(ConfigurationPropertyName name, int fromElement) {
        StringBuilder letters = new StringBuilder();
        for (int i = fromElement; i < name.getNumberOfElements(); i++) {
            letters.append(name.getElement(i, Form.UNIFORM));
        }
        return letters.toString();
    }

    private static boolean isASetting(String letters) {
        return LockerProperties.NAMES.stream()
                .map(known -> known.replace("-", ""))
                .anyMatch(known -> letters.equals(known) || GROUPS.contains(known) && letters.startsWith(known));
    }

    /** Rejects a list of lockers, and a value in place of a locker's settings. An empty value defines a locker. */
    private static void requireSettings(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        int index = LockerName.PARENT.getNumberOfElements();
        if (name.isNumericIndex(index) && !isList(source)) {
            String number = name.getElement(index, Form.ORIGINAL);
            String rest =
                    name.toString().substring(name.chop(index + 1).toString().length());
            throw new LockConfigurationException(
                    name.toString(),
                    null,
                    "has a number as the name of a locker, which is read as the index of a list",
                    "In YAML, write the name in quotes, as in '\"" + number + "\":'; in other files, write '"
                            + LockerName.PARENT + "." + number + rest + "'.");
        }
        if (name.isNumericIndex(index)) {
            throw new LockConfigurationException(
                    name.toString(),
                    null,
                    "is an element of a list, but lockers are listed by name",
                    "Write the locker's name in place of the index, as in 'lock.lockers.deploy.ttl' (in YAML 'deploy:' in"
                            + " place of '-').");
        }
        ConfigurationProperty entry =
                name.getNumberOfElements() > index + 1 ? null : source.getConfigurationProperty(name);
        if (entry != null && !String.valueOf(entry.getValue()).isEmpty()) {
            String element = name.getElement(index, Form.DASHED);
            throw new LockConfigurationException(
                    name.toString(),
                    null,
                    "cannot have a value, since it stands for a locker called '" + element + "'",
                    LockerProperties.NAMES.contains(element)
                            ? "To set it for all lockers, write 'lock.defaults." + element
                                    + "'; for one locker, 'lock.lockers.<name>." + element + "'."
                            : "Set a property of the locker, such as '" + name + ".ttl'.");
        }
    }

    /** A list begins with its first element; the other numbers are names. */
    private static boolean isList(ConfigurationPropertySource source) {
        ConfigurationPropertyName first = LockerName.PARENT.append("[0]");
        return source.getConfigurationProperty(first) != null
                || source.containsDescendantOf(first) == ConfigurationPropertyState.PRESENT;
    }

    private static void add(Configured found, boolean variable, Map<String, Configured> names) {
        Configured other = names.putIfAbsent(found.locker().uniform(), found);
        if (other != null
                && !variable
                && !other.locker().value().equals(found.locker().value())) {
            throw new LockConfigurationException(
                    LockerName.PARENT.toString(),
                    null,
                    "names one locker twice: " + other + " and " + found
                            + ", since upper case and punctuation do not count in names of properties",
                    "Give the locker one name, or two lockers names that differ in letters or digits.");
        }
    }

    /** A locker with one of the properties that configure it, and the source of that property. */
    private record Configured(
            LockerName locker, ConfigurationPropertyName property, ConfigurationPropertySource source) {

        @Override
        public String toString() {
            // the source itself considers the names of both lockers as equal
            String written = IntStream.range(0, property.getNumberOfElements())
                    .mapToObj(element -> property.getElement(element, Form.ORIGINAL))
                    .collect(Collectors.joining("."));
            return "'" + locker + "'"
                    + (source.getUnderlyingSource() instanceof PropertySource<?> values
                            ? " (set in " + PropertySourceOrigin.get(values, written) + ")"
                            : "");
        }
    }
}
