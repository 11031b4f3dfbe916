package io.leasehold.autoconfigure.property;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Ignores variables of Kubernetes that look like a port. For a service called {@code lock-redis}, every container has a
 * variable {@code LOCK_REDIS_PORT} with a value such as {@code tcp://10.0.0.1:6379}.
 */
public final class ServiceLinkBindHandler extends AbstractBindHandler {

    private static final Logger log = LoggerFactory.getLogger(ServiceLinkBindHandler.class);

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private final Environment environment;

    public ServiceLinkBindHandler(BindHandler parent, Environment environment) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property == null
                || !isServiceLink(property)
                || !LOCK.isAncestorOf(name)
                || !"port".equals(name.getLastElement(Form.UNIFORM))) {
            return super.onFailure(name, target, context, error);
        }
        log.warn(
                "{} is not taken for '{}': it has the value '{}', as Kubernetes sets it for a service of that name",
                property.getOrigin(),
                name,
                property.getValue());
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty next = source.getConfigurationProperty(name);
            if (next != null && !isServiceLink(next)) {
                String text = environment.resolvePlaceholders(String.valueOf(next.getValue()));
                return super.onSuccess(name, target, context, text);
            }
        }
        return null;
    }

    private static boolean isServiceLink(ConfigurationProperty property) {
        return String.valueOf(property.getValue()).matches("(tcp|udp|sctp)://.*");
    }
}
