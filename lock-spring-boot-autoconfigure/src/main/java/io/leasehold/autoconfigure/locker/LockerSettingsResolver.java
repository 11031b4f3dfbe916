package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.engine.InvalidSettingException;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges a locker's own settings with the defaults. A value that the engine rejects is reported with the property that
 * contains it, which is the locker's own or that of the defaults.
 */
public final class LockerSettingsResolver {

    private static final Logger log = LoggerFactory.getLogger(LockerSettingsResolver.class);

    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

    private final LockProperties.Defaults defaults;

    private final @Nullable String application;

    private final boolean reportHolder;

    private final boolean forceRelease;

    /**
     * Creates the resolver.
     *
     * @param defaults the settings of all lockers
     * @param application the prefix of namespaces that are not set; {@code null} or empty for none
     * @param reportHolder whether the message of a lock that was not acquired names its holder
     * @param forceRelease whether locks may be taken from their holders
     */
    public LockerSettingsResolver(
            LockProperties.Defaults defaults,
            @Nullable String application,
            boolean reportHolder,
            boolean forceRelease) {
        this.defaults = defaults;
        this.application = application;
        this.reportHolder = reportHolder;
        this.forceRelease = forceRelease;
    }

    public LockerSettings resolve(LockerName name, LockerProperties own) {
        PropertyValue<Duration> waitTime = PropertyValue.of(name, "wait-time", own.waitTime(), defaults.waitTime());
        PropertyValue<Duration> ttl = PropertyValue.of(name, "ttl", own.ttl(), defaults.ttl());
        PropertyValue<Boolean> autoRenew = PropertyValue.of(name, "auto-renew", own.autoRenew(), defaults.autoRenew());
        @Nullable
        PropertyValue<Duration> maxHold =
                PropertyValue.optional(name, "max-hold-time", own.maxHoldTime(), defaultMaxHoldTime(own));
        PropertyValue<Duration> minHold =
                PropertyValue.of(name, "min-hold-time", own.minHoldTime(), defaults.minHoldTime());
        @Nullable
        PropertyValue<Duration> timeout =
                PropertyValue.optional(name, "command-timeout", own.commandTimeout(), defaults.commandTimeout());
        PropertyValue<Integer> handoffs =
                PropertyValue.of(name, "max-local-handoffs", own.maxLocalHandoffs(), defaults.maxLocalHandoffs());
        @Nullable
        PropertyValue<Duration> longHold = PropertyValue.optional(
                name, "long-hold-threshold", own.longHoldThreshold(), defaults.longHoldThreshold());
        @Nullable
        PropertyValue<Duration> longWait = PropertyValue.optional(
                name, "long-wait-threshold", own.longWaitThreshold(), defaults.longWaitThreshold());

        warnIfShort(ttl);
        try {
            return new LockerSettings(
                    name.value(),
                    namespace(name, own),
                    waitTime.value(),
                    ttl.value(),
                    autoRenew.value(),
                    PropertyValue.valueOf(maxHold),
                    minHold.value(),
                    PropertyValue.valueOf(timeout),
                    handoffs.value(),
                    PropertyValue.valueOf(longHold),
                    PropertyValue.valueOf(longWait),
                    reportHolder,
                    forceRelease);
        } catch (InvalidSettingException ex) {
            throw refused(ex, waitTime, ttl, autoRenew, maxHold, minHold, timeout, handoffs, longHold, longWait);
        }
    }

    /** Names the property in place of the setting. */
    private static LockConfigurationException refused(
            InvalidSettingException ex, @Nullable PropertyValue<?>... values) {
        Map<String, PropertyValue<?>> bySetting = new HashMap<>();
        for (PropertyValue<?> value : values) {
            if (value != null) {
                bySetting.put(value.setting(), value);
            }
        }
        return Objects.requireNonNull(bySetting.get(ex.setting().toString()))
                .refused(ex.expectation(other -> String.valueOf(bySetting.get(other.toString()))), ex.nextStep());
    }

    /** The default maximum hold time limits renewed locks. It does not apply to a locker that alone does not renew. */
    private @Nullable Duration defaultMaxHoldTime(LockerProperties own) {
        return defaults.autoRenew() && Boolean.FALSE.equals(own.autoRenew()) ? null : defaults.maxHoldTime();
    }

    private static void warnIfShort(PropertyValue<Duration> ttl) {
        if (ttl.value().compareTo(SHORT) < 0) {
            log.warn(
                    "{} is less than a second: a pause of the JVM or of the network of {} loses the lock while its holder"
                            + " works. 30s suits most locks, since those that are held are renewed",
                    ttl,
                    PropertyValue.print(ttl.value()));
        }
    }

    private String namespace(LockerName name, LockerProperties own) {
        PropertyValue<String> namespace = new PropertyValue<>(name.property("namespace"), name.value());
        if (own.namespace() != null) {
            namespace = new PropertyValue<>(namespace.property(), own.namespace());
        } else if (application != null && !application.isEmpty()) {
            namespace = new PropertyValue<>("lock.namespace", application + "." + name.value());
        }
        Matcher placeholder = PLACEHOLDER.matcher(namespace.value());
        if (placeholder.find()) {
            throw namespace.refused(
                    "has a placeholder without a value",
                    "Set '" + placeholder.group(1) + "', or write the namespace itself.");
        }
        if (!namespace.value().matches("[A-Za-z0-9._-]{1,128}")) {
            throw namespace.refused(
                    "must consist of 1 to 128 letters, digits and '.', '_', '-'",
                    "A colon separates namespace and key in the store; use a '.' or '-' inside the namespace.");
        }
        return namespace.value();
    }
}
