package io.leasehold.autoconfigure.property;

import io.leasehold.support.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Rejects names below {@code lock} that belong to no group of properties. They are not bound, so they would otherwise
 * be ignored. Environment variables and system properties are not checked, as in Spring Boot, because they may have
 * another purpose.
 */
public final class LockPropertyNames {

    /** The names of the groups, which follow {@code lock}. */
    public static final List<String> GROUPS = List.of(
            "enabled",
            "disabled-mode",
            "backend",
            "namespace",
            "mask-keys",
            "instance-name",
            "report-holder",
            "leak-detection",
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
            "web");

    /** Properties that contain no others. */
    private static final Set<String> VALUES = Set.of(
            "enabled",
            "disabled-mode",
            "backend",
            "namespace",
            "mask-keys",
            "instance-name",
            "report-holder",
            "leak-detection");

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private LockPropertyNames() {}

    /**
     * Checks all sources.
     *
     * @param environment the sources
     * @throws LockConfigurationException if one of them contains an unknown name
     */
    public static void check(Environment environment) {
        UnboundElementsSourceFilter mayBeForOthers = new UnboundElementsSourceFilter();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (mayBeForOthers.apply(source) && source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream().filter(LOCK::isAncestorOf).forEach(LockPropertyNames::check);
            }
        }
    }

    private static void check(ConfigurationPropertyName name) {
        ConfigurationPropertyName group = LOCK.append(name.getElement(1, Form.DASHED));
        Optional<String> known =
                GROUPS.stream().filter(one -> LOCK.append(one).equals(group)).findFirst();
        if (known.isEmpty()) {
            refuse(name);
        }
        if (name.getNumberOfElements() > 2 && known.filter(VALUES::contains).isPresent()) {
            throw new LockConfigurationException(
                    name.toString(),
                    null,
                    "cannot be set, since '" + group + "' has one value and is neither a list nor a group",
                    "Write one value after '" + group + "'.");
        }
    }

    private static void refuse(ConfigurationPropertyName name) {
        throw new LockConfigurationException(
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
