package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.backend.BackendChoice;
import io.leasehold.autoconfigure.locker.LockerConfiguration.BreakerChoice;
import io.leasehold.autoconfigure.property.CircuitBreakerProperties;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockPropertyNames;
import io.leasehold.autoconfigure.property.LockValueBindHandler;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.ServiceLinkBindHandler;
import io.leasehold.engine.LockerSettings;
import io.leasehold.support.NearestName;
import io.leasehold.support.ShortTtl;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads the properties of lockers. Each locker is bound separately, so that an entry without settings defines a locker,
 * and an unknown setting is rejected. A {@code max-hold-tme} that is ignored would be noticed too late.
 */
public final class LockerConfigurations {

    private static final Logger log = LoggerFactory.getLogger(LockerConfigurations.class);

    private static final Bindable<LockerProperties> ENTRY = Bindable.of(LockerProperties.class);

    private final Environment environment;

    private final LockProperties common;

    private final CircuitBreakerProperties circuitBreaker;

    private final LockerSettingsResolver resolver;

    private final LockerCustomizers customizers;

    private final SortedSet<LockerName> names;

    private final Map<String, LockerConfiguration> read = new ConcurrentHashMap<>();

    public LockerConfigurations(
            Environment environment,
            LockProperties common,
            LockerProperties.Defaults defaults,
            LockProperties.ForceRelease forceRelease,
            CircuitBreakerProperties circuitBreaker,
            LockerCustomizers customizers) {
        this.customizers = customizers;
        this.circuitBreaker = circuitBreaker;
        this.environment = environment;
        this.common = common;
        this.resolver =
                new LockerSettingsResolver(defaults, common.namespace(), common.reportHolder(), forceRelease.enabled());
        this.names = LockerNames.configuredIn(environment);
        SortedSet<String> ignored = LockerNames.variablesThatSetNothing(environment);
        if (!ignored.isEmpty()) {
            log.warn(
                    "Ignored, since they set no property of a locker: {}. There are {}",
                    ignored,
                    LockerProperties.NAMES);
        }
    }

    /**
     * Reads one locker's configuration.
     *
     * @throws LockConfigurationException if the configuration is invalid
     */
    public LockerConfiguration get(String name) {
        LockerConfiguration known = read.get(name);
        if (known != null) {
            return known;
        }
        // not in computeIfAbsent(), since customizers are beans that another thread may be creating
        LockerConfiguration own = read(name);
        LockerConfiguration earlier = read.putIfAbsent(name, own);
        return earlier == null ? own : earlier;
    }

    /**
     * Checks the properties of a locker that does not use them.
     *
     * @throws LockConfigurationException if they are invalid
     */
    public void check(String name) {
        LockerName locker = locker(name);
        resolver.resolve(locker, bind(locker));
    }

    private LockerName locker(String name) {
        return names.stream()
                .filter(candidate -> candidate.value().equals(name))
                .findFirst()
                .orElseGet(() -> LockerName.of(LockerName.PARENT.append("[" + name + "]")));
    }

    private LockerConfiguration read(String name) {
        LockerName locker = locker(name);
        return configuration(locker, bind(locker), settings -> settings);
    }

    private LockerConfiguration configuration(
            LockerName locker, LockerProperties own, UnaryOperator<LockerSettings> atRunTime) {
        LockerSettings resolved = resolver.resolve(locker, own);
        LockerSettings settings = LockerCustomizers.apply(customizers.apply(resolved), atRunTime);
        if (!settings.ttl().equals(resolved.ttl())) {
            ShortTtl.warn("The ttl of locker '" + locker + "', set by code,", settings.ttl());
        }
        return new LockerConfiguration(
                settings,
                BackendChoice.of(locker, own, common),
                BreakerChoice.of(locker, own, circuitBreaker),
                own.namespace() == null
                        && common.namespace() == null
                        && settings.namespace().equals(resolved.namespace()));
    }

    /**
     * Adds the configuration of a locker that is created at run time. It has the defaults, and no properties of its
     * own.
     */
    void create(String name, UnaryOperator<LockerSettings> settings) {
        LockerName locker = LockerName.of(LockerName.PARENT.append("[" + name + "]"));
        read.put(name, configuration(locker, LockerProperties.EMPTY, settings));
    }

    void forget(String name) {
        read.remove(name);
    }

    private LockerProperties bind(LockerName locker) {
        BindHandler handler = new ServiceLinkBindHandler(
                new LockValueBindHandler(
                        new NoUnboundElementsBindHandler(
                                new IgnoreTopLevelConverterNotFoundBindHandler(),
                                source -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)),
                        environment),
                environment);
        try {
            return Binder.get(environment)
                    .bind(locker.property(), ENTRY, handler)
                    .orElse(LockerProperties.EMPTY);
        } catch (BindException ex) {
            if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                throw notBound(
                        locker, unbound.getUnboundProperties().iterator().next().getName());
            }
            throw ex;
        }
    }

    private static LockConfigurationException notBound(LockerName locker, ConfigurationPropertyName name) {
        int index = locker.property().getNumberOfElements();
        String setting = name.getElement(index, Form.DASHED);
        if (LockerProperties.NAMES.contains(setting) && name.getNumberOfElements() == index + 1) {
            return LockConfigurationException.withoutValue(
                    name.toString(), "for the value of 'lock.defaults." + setting + "'");
        }
        if (LockerProperties.NAMES.contains(setting)) {
            return LockPropertyNames.unknown(name, locker.property(), ResolvableType.forClass(LockerProperties.class));
        }
        String meant = name.getNumberOfElements() > index + 1
                ? withDot(locker, setting, name.getLastElement(Form.DASHED))
                : NearestName.of(setting, LockerProperties.NAMES)
                        .map(nearest -> "Did you mean '" + locker.property(nearest) + "'? ")
                        .orElse("");
        return new LockConfigurationException(
                name.toString(),
                null,
                "is no property of a locker",
                meant + "A locker has the properties " + String.join(", ", LockerProperties.NAMES) + ".");
    }

    /** The hint for a locker whose name has a dot, so that the first part was read as the name. */
    private static String withDot(LockerName locker, String second, String setting) {
        if (!LockerProperties.NAMES.contains(setting)) {
            return "";
        }
        String name = "[" + locker + "." + second + "]";
        return "Did you mean '" + LockerName.PARENT + name + "." + setting
                + "'? In YAML, a locker whose name has a dot is written as '\"" + name + "\":'. ";
    }
}
