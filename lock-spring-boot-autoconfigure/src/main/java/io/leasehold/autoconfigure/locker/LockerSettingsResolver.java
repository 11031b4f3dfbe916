package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.engine.InvalidSettingException;
import io.leasehold.engine.LockerSettings;
import io.leasehold.support.ShortTtl;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges a locker's own settings with the defaults. A value that the engine rejects is reported with the property that
 * contains it, which is the locker's own or that of the defaults.
 */
public final class LockerSettingsResolver {

    private final LockerProperties.Defaults defaults;

    private final @Nullable String application;

    private final boolean reportHolder;

    private final boolean forceRelease;

    /**
     * Creates the resolver.
     *
     * @param application the prefix of namespaces that are not set; {@code null} or empty for none
     * @param reportHolder whether the message of a lock that was not acquired names its holder
     * @param forceRelease whether locks may be taken from their holders
     */
    public LockerSettingsResolver(
            LockerProperties.Defaults defaults,
            @Nullable String application,
            boolean reportHolder,
            boolean forceRelease) {
        this.defaults = defaults;
        this.application = application;
        this.reportHolder = reportHolder;
        this.forceRelease = forceRelease;
    }

    public LockerSettings resolve(LockerName name, LockerProperties own) {
        Merge merge = new Merge(name);
        try {
            LockerSettings settings = new LockerSettings(
                    name.value(),
                    namespace(name, own),
                    merge.of("wait-time", own.waitTime(), defaults.waitTime()),
                    merge.of("ttl", own.ttl(), defaults.ttl()),
                    merge.of("auto-renew", own.autoRenew(), defaults.autoRenew()),
                    merge.optional("max-hold-time", own.maxHoldTime(), defaultMaxHoldTime(own)),
                    merge.of("min-hold-time", own.minHoldTime(), defaults.minHoldTime()),
                    merge.optional("command-timeout", own.commandTimeout(), defaults.commandTimeout()),
                    merge.of("max-local-handoffs", own.maxLocalHandoffs(), defaults.maxLocalHandoffs()),
                    merge.optional("long-hold-threshold", own.longHoldThreshold(), defaults.longHoldThreshold()),
                    merge.optional("long-wait-threshold", own.longWaitThreshold(), defaults.longWaitThreshold()),
                    reportHolder,
                    forceRelease);
            ShortTtl.warn(merge.property("ttl").toString(), settings.ttl());
            return settings;
        } catch (InvalidSettingException ex) {
            throw merge.refused(ex);
        }
    }

    /** The default maximum hold time limits renewed locks. It does not apply to a locker that alone does not renew. */
    private @Nullable Duration defaultMaxHoldTime(LockerProperties own) {
        return defaults.autoRenew() && Boolean.FALSE.equals(own.autoRenew()) ? null : defaults.maxHoldTime();
    }

    private String namespace(LockerName name, LockerProperties own) {
        PropertyValue<String> namespace = new PropertyValue<>(name.property("namespace"), name.value());
        if (own.namespace() != null) {
            namespace = new PropertyValue<>(namespace.property(), own.namespace());
        } else if (application != null && !application.isEmpty()) {
            namespace = new PropertyValue<>("lock.namespace", application + "." + name.value());
        }
        if (!namespace.value().matches("[A-Za-z0-9._-]{1,128}")) {
            throw namespace.refused(
                    "must consist of 1 to 128 letters, digits and '.', '_', '-'",
                    "A colon separates namespace and key in the store; use a '.' or '-' inside the namespace.");
        }
        return namespace.value();
    }

    /** Chooses between a locker's own values and the defaults, and remembers the properties that contain them. */
    private static final class Merge {

        private final Map<String, PropertyValue<?>> bySetting = new HashMap<>();

        private final LockerName locker;

        Merge(LockerName locker) {
            this.locker = locker;
        }

        <T> T of(String setting, @Nullable T own, T byDefault) {
            return Objects.requireNonNull(optional(setting, own, byDefault));
        }

        /** A setting without a default value. */
        <T> @Nullable T optional(String setting, @Nullable T own, @Nullable T byDefault) {
            T value = own == null ? byDefault : own;
            if (value != null) {
                String property = own == null ? "lock.defaults." + setting : locker.property(setting);
                bySetting.put(setting, new PropertyValue<>(property, value));
            }
            return value;
        }

        /** Names the property in place of the setting. */
        LockConfigurationException refused(InvalidSettingException ex) {
            return property(ex.setting())
                    .refused(ex.expectation(other -> property(other).toString()), ex.nextStep());
        }

        private PropertyValue<?> property(String setting) {
            return Objects.requireNonNull(bySetting.get(setting), setting);
        }
    }
}
