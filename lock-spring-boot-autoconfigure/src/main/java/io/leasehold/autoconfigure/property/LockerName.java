package io.leasehold.autoconfigure.property;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.StringUtils;

/**
 * The name of a locker in the configuration, and the name of its bean: in camel case, followed by {@code Locker}, so
 * that it can be the name of a parameter. {@code my-deploy} has the bean {@code myDeployLocker}.
 *
 * @param value the name as it is written in {@code lock.lockers}
 * @param property the prefix of its settings
 */
public record LockerName(String value, ConfigurationPropertyName property) implements Comparable<LockerName> {

    public static final ConfigurationPropertyName PARENT = ConfigurationPropertyName.of("lock.lockers");

    public static final LockerName DEFAULT = of(PARENT.append("default"));

    private static final Pattern SEPARATED = Pattern.compile("[._-]+([A-Za-z0-9]?)");

    private static final String SUFFIX = "Locker";

    /**
     * The locker to which a property below {@link #PARENT} belongs.
     *
     * @throws LockConfigurationException if its name cannot be a namespace, a tag and a part of a bean name
     */
    public static LockerName of(ConfigurationPropertyName property) {
        int index = PARENT.getNumberOfElements();
        String value = property.getElement(index, Form.ORIGINAL);
        if (!value.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new LockConfigurationException(
                    property.toString(),
                    value,
                    "belongs to a locker whose name must consist of letters, digits and '.', '_', '-' and begin with a"
                            + " letter or digit",
                    "Rename the locker; the prefix of its keys in the store can be set by its 'namespace' property.");
        }
        return new LockerName(value.equalsIgnoreCase("default") ? "default" : value, property.chop(index + 1));
    }

    public boolean isDefault() {
        return value.equals("default");
    }

    /** Two names with the same uniform name share their properties. */
    public String uniform() {
        return value.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    public String property(String setting) {
        return property.append(setting).toString();
    }

    public String beanName() {
        String camelCase =
                SEPARATED.matcher(value).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
        return StringUtils.uncapitalizeAsProperty(camelCase) + SUFFIX;
    }

    /** The name of the locker with this bean name, if the locker is not configured. */
    public static String ofBean(String beanName) {
        return beanName.endsWith(SUFFIX) ? beanName.substring(0, beanName.length() - SUFFIX.length()) : beanName;
    }

    @Override
    public int compareTo(LockerName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
