package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a locker's own settings and the defaults together, and refuses what has no meaning: by the name of the property
 * that says it, be it the locker's own or the default.
 */
public final class LockerSettingsResolver {

    private static final Logger log = LoggerFactory.getLogger(LockerSettingsResolver.class);

    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final int MOST_LOCAL_HANDOFFS = 255;

    private static final String RAISE_OR_LOWER = "Raise the one or lower the other.";

    private final LockProperties.Defaults defaults;

    private final @Nullable String application;

    /**
     * Creates the resolver.
     *
     * @param defaults the settings of all lockers
     * @param application what namespaces that are not set begin with; {@code null} or empty for nothing
     */
    public LockerSettingsResolver(LockProperties.Defaults defaults, @Nullable String application) {
        this.defaults = defaults;
        this.application = application;
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

        PropertyValue.requireNotNegative(waitTime);
        PropertyValue.requirePositive(ttl);
        warnIfShort(ttl);
        PropertyValue.requirePositive(maxHold);
        PropertyValue.requireNotNegative(minHold);
        PropertyValue.requirePositive(timeout);
        requireThreeTimeouts(ttl, timeout);
        requireConsistent(ttl, autoRenew, maxHold, minHold);
        if (handoffs.value() < 0 || handoffs.value() > MOST_LOCAL_HANDOFFS) {
            throw handoffs.refused("must be 0 to " + MOST_LOCAL_HANDOFFS, "Set it to 0 to switch hand-overs off.");
        }
        return new LockerSettings(
                name.value(),
                namespace(name, own),
                waitTime.value(),
                ttl.value(),
                autoRenew.value(),
                PropertyValue.valueOf(maxHold),
                minHold.value(),
                PropertyValue.valueOf(timeout),
                handoffs.value());
    }

    /** A cap on renewed locks says nothing about a locker that alone does not renew. */
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

    private static void requireThreeTimeouts(PropertyValue<Duration> ttl, @Nullable PropertyValue<Duration> timeout) {
        if (timeout != null && ttl.value().compareTo(timeout.value().multipliedBy(3)) < 0) {
            throw ttl.refused(
                    "must be at least three times " + timeout
                            + ", so that a renewal can be tried again before the lock is lost",
                    RAISE_OR_LOWER);
        }
    }

    private static void requireConsistent(
            PropertyValue<Duration> ttl,
            PropertyValue<Boolean> autoRenew,
            @Nullable PropertyValue<Duration> maxHold,
            PropertyValue<Duration> minHold) {
        if (maxHold != null && !autoRenew.value()) {
            throw maxHold.refused(
                    "has no meaning with " + autoRenew + ": a lock that is not renewed ends after its ttl",
                    "Take one of the two out.");
        }
        if (maxHold != null && maxHold.value().compareTo(ttl.value()) < 0) {
            throw maxHold.refused("must not be shorter than " + ttl, RAISE_OR_LOWER);
        }
        if (maxHold != null && minHold.value().compareTo(maxHold.value()) > 0) {
            throw minHold.refused("must not be longer than " + maxHold, RAISE_OR_LOWER);
        }
        if (!autoRenew.value() && minHold.value().compareTo(ttl.value()) > 0) {
            throw minHold.refused("must not be longer than " + ttl + " with " + autoRenew, RAISE_OR_LOWER);
        }
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
}
