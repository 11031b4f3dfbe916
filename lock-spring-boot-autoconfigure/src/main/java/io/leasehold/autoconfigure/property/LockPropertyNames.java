package io.leasehold.autoconfigure.property;

import io.leasehold.support.NearestName;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Rejects names below {@code lock} that belong to no group of properties. They are not bound, so they would otherwise
 * be ignored. Environment variables and system properties are not checked, as in Spring Boot, because they may have
 * another purpose.
 */
public final class LockPropertyNames {

    /** Properties that contain no others. */
    private static final List<String> VALUES = Arrays.stream(LockProperties.class.getRecordComponents())
            .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
            .toList();

    /** The names that follow {@code lock}: those of single values, then those of groups. */
    public static final List<String> GROUPS = Stream.concat(
                    VALUES.stream(),
                    Stream.of(
                            "defaults",
                            "lockers",
                            "aspect",
                            "cache",
                            "circuit-breaker",
                            "events",
                            "force-release",
                            "integration",
                            "metrics",
                            "observations",
                            "safety",
                            "shedlock",
                            "shutdown",
                            "redis",
                            "redlock",
                            "jdbc",
                            "row-lock",
                            "etcd",
                            "web"))
            .toList();

    /**
     * Properties of what is off until one of them is set, or is in a module of its own. While it is not there, its
     * properties are not bound, so that nothing else notices a misspelt one.
     */
    public static final Map<String, List<String>> OF_OPTIONAL_GROUPS = Map.of(
            "cache", List.of("locker", "on-failure"),
            "etcd", List.of("endpoints", "key-prefix", "user", "password", "ssl.bundle"),
            "integration", List.of("locker"),
            "jdbc",
                    List.of(
                            "data-source",
                            "url",
                            "username",
                            "password",
                            "table",
                            "initialize-schema",
                            "connections",
                            "lock-wait",
                            "command-timeout",
                            "queue-timeout",
                            "poll-interval",
                            "listen-notify",
                            "retention",
                            "purge-interval"),
            "redis",
                    List.of(
                            "connection-factory",
                            "url",
                            "host",
                            "port",
                            "username",
                            "password",
                            "database",
                            "ssl.enabled",
                            "ssl.bundle",
                            "fence-retention",
                            "min-replicas",
                            "replica-timeout",
                            "grace-period",
                            "fast-path",
                            "grant-on-release"),
            "redlock", List.of("nodes", "node-timeout", "max-ttl"),
            "row-lock",
                    List.of(
                            "data-source",
                            "url",
                            "username",
                            "password",
                            "table",
                            "initialize-schema",
                            "max-locks",
                            "connections",
                            "command-timeout",
                            "queue-timeout"),
            "shedlock", List.of("locker"),
            "web", List.of("status"));

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private LockPropertyNames() {}

    /**
     * Checks all sources.
     *
     * @throws LockConfigurationException if one of them contains an unknown name
     */
    public static void check(Environment environment) {
        UnboundElementsSourceFilter mayBeForOthers = new UnboundElementsSourceFilter();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (mayBeForOthers.apply(source) && source instanceof IterableConfigurationPropertySource iterable) {
                for (ConfigurationPropertyName name : iterable) {
                    if (LOCK.isAncestorOf(name)) {
                        check(name, source);
                    } else if (name.equals(LOCK)) {
                        requireNoValue(name, source);
                    }
                }
            }
        }
    }

    private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationPropertyName group = LOCK.append(name.getElement(1, Form.DASHED));
        String known = GROUPS.stream()
                .filter(one -> LOCK.append(one).equals(group))
                .findFirst()
                .orElseThrow(() -> unknown(name));
        boolean isValue = VALUES.contains(known);
        if (name.getNumberOfElements() == 2 && !isValue) {
            requireNoValue(name, source);
        }
        List<String> optional = OF_OPTIONAL_GROUPS.getOrDefault(known, List.of());
        if (name.getNumberOfElements() > 2
                && !optional.isEmpty()
                && optional.stream().noneMatch(one -> group.append(one).equals(withoutEntry(name)))
                && !isInnerGroup(name.getElement(2, Form.DASHED), optional)) {
            throw unknown(name, group, optional);
        }
        // what Spring Boot does not report: it takes a property inside of a group of an entry for one of another source
        if (known.equals("redlock") && name.getNumberOfElements() == 6) {
            ConfigurationPropertyName ssl = name.chop(5);
            List<String> ofSsl = of(LockSslProperties.class);
            if (ofSsl.stream().noneMatch(one -> ssl.append(one).equals(name))) {
                throw unknown(name, ssl, ofSsl);
            }
        }
        if (name.getNumberOfElements() > 2 && isValue) {
            throw new LockConfigurationException(
                    name.toString(),
                    null,
                    "cannot be set, since '" + group + "' has one value and is neither a list nor a group",
                    "Write one value after '" + group + "'.");
        }
    }

    /**
     * The names of a group's properties. They are read from the constructor, whose parameters a native image knows,
     * because Spring Boot binds it; it does not know the components of the record.
     */
    static List<String> of(Class<?> group) {
        return parameters(group)
                .map(parameter -> DataObjectPropertyName.toDashedForm(parameter.getName()))
                .toList();
    }

    private static Stream<Parameter> parameters(Class<?> group) {
        return Arrays.stream(group.getDeclaredConstructors()[0].getParameters());
    }

    /**
     * The failure of a property that its group does not have, or that has no value. The group may be one inside of the
     * bound type, or an entry of a list.
     *
     * @param name the property
     * @param group the bound group
     * @param type the type of the bound group
     * @return the failure
     */
    public static LockConfigurationException unknown(
            ConfigurationPropertyName name, ConfigurationPropertyName group, ResolvableType type) {
        int index = group.getNumberOfElements();
        ResolvableType inner = name.getNumberOfElements() > index + 1
                ? member(type, name.getElement(index, Form.DASHED))
                : ResolvableType.NONE;
        return inner == ResolvableType.NONE
                ? unknown(name, group, of(type.toClass()))
                : unknown(name, name.chop(index + 1), inner);
    }

    /** The type of a group inside of a group, or of an entry of a list; none for a single value. */
    private static ResolvableType member(ResolvableType type, String name) {
        if (!type.toClass().isRecord()) {
            return type.asCollection().getGeneric();
        }
        return parameters(type.toClass())
                .filter(parameter ->
                        DataObjectPropertyName.toDashedForm(parameter.getName()).equals(name))
                .map(parameter -> ResolvableType.forType(parameter.getParameterizedType()))
                .filter(found -> found.toClass().isRecord()
                        || found.asCollection().getGeneric().toClass().isRecord())
                .findFirst()
                .orElse(ResolvableType.NONE);
    }

    private static LockConfigurationException unknown(
            ConfigurationPropertyName name, ConfigurationPropertyName group, List<String> known) {
        if (known.stream().anyMatch(one -> group.append(one).equals(name))) {
            return LockConfigurationException.withoutValue(name.toString(), "for its default");
        }
        String rest = name.subName(group.getNumberOfElements()).toString();
        return new LockConfigurationException(
                name.toString(),
                null,
                "is no property of '" + group + "'",
                NearestName.of(rest, known)
                                .map(found -> "Did you mean '" + group + "." + found + "'? ")
                                .orElse("")
                        + "It has the properties " + String.join(", ", known) + ".");
    }

    /** Whether a group has properties inside of this one, which are checked when they are bound. */
    private static boolean isInnerGroup(String name, List<String> known) {
        return known.stream().anyMatch(one -> one.startsWith(name + "."));
    }

    /** The property itself, if the name is one of an entry of its list. */
    private static ConfigurationPropertyName withoutEntry(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 3 && name.isNumericIndex(3) ? name.chop(3) : name;
    }

    private static void requireNoValue(ConfigurationPropertyName group, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(group);
        if (property != null && !String.valueOf(property.getValue()).isBlank()) {
            throw new LockConfigurationException(
                    group.toString(),
                    null,
                    "cannot have a value, since it is a group of properties",
                    "Set one of its properties; docs/configuration.md has the list.");
        }
    }

    private static LockConfigurationException unknown(ConfigurationPropertyName name) {
        return new LockConfigurationException(
                name.toString(),
                null,
                "is no property of locks",
                meant(name).map(found -> "Did you mean '" + found + "'? ").orElse("")
                        + "What all lockers are set to is under 'lock.defaults', what one is set to under"
                        + " 'lock.lockers.<name>'; docs/configuration.md has the list. Properties of the application itself"
                        + " need another prefix than 'lock'.");
    }

    private static Optional<String> meant(ConfigurationPropertyName name) {
        String group = name.getElement(1, Form.DASHED);
        if (LockerProperties.NAMES.contains(group)) {
            return Optional.of("lock.defaults." + group);
        }
        String rest = name.toString().substring(LOCK.append(group).toString().length());
        return NearestName.of(group, GROUPS)
                .map(nearest -> "lock." + nearest + rest)
                .or(() -> isSettingOfALocker(name) ? Optional.of("lock.lockers." + group + rest) : Optional.empty());
    }

    private static boolean isSettingOfALocker(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 2 && LockerProperties.NAMES.contains(name.getElement(2, Form.DASHED));
    }
}
