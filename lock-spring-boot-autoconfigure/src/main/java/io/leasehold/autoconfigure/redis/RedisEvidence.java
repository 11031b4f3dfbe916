package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Determines whether the application configures a Redis. Spring Boot defines a connection factory for {@code localhost}
 * whenever a client is on the class path, and the starter includes one, so this factory does not count.
 */
record RedisEvidence(ConfigurableListableBeanFactory beans, Environment environment) {

    private static final String BOOT = "org.springframework.boot.data.redis.";

    private static final boolean DETAILS = ClassUtils.isPresent(
            BOOT + "autoconfigure.DataRedisConnectionDetails", RedisEvidence.class.getClassLoader());

    private static final List<String> ADDRESSES =
            List.of("host", "port", "url", "sentinel.nodes", "cluster.nodes", "masterreplica.nodes");

    /** Whether there is a connection factory whose address the application configures. */
    boolean isThere() {
        String[] factories = names(RedisConnectionFactory.class);
        return factories.length > 0
                && (Stream.of(factories).anyMatch(this::isOfTheApplication)
                        || isAddressSet()
                        || DETAILS && !Details.ofTheApplication(this).isEmpty());
    }

    /** The bean with the application's connection details, {@code null} if there is none or not exactly one. */
    @Nullable
    String details() {
        List<String> names = DETAILS ? Details.ofTheApplication(this) : List.of();
        return names.size() == 1 ? names.get(0) : null;
    }

    /** Those of parent contexts, too. */
    private String[] names(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    private boolean isAddressSet() {
        Binder binder = Binder.get(environment);
        return ADDRESSES.stream()
                .anyMatch(name -> binder.bind("spring.data.redis." + name, Bindable.listOf(String.class))
                        .isBound());
    }

    /**
     * A definition that was generated ahead of time has no factory method. The class of a bean without one says nothing:
     * the details of Testcontainers are of a class of Spring Boot.
     */
    private boolean isOfTheApplication(String bean) {
        try {
            BeanDefinition definition = beans.getMergedBeanDefinition(bean);
            return !String.valueOf(definition.getFactoryBeanName()).startsWith(BOOT)
                    && (definition.getFactoryMethodName() == null
                            || !String.valueOf(definition.getBeanClassName()).startsWith(BOOT));
        } catch (NoSuchBeanDefinitionException registeredAsAnObject) {
            return true;
        }
    }

    /**
     * Connection details of Docker Compose, Testcontainers or the application; Boot's own only repeat its properties.
     * Loaded only if {@code DataRedisConnectionDetails} is on the class path.
     *
     * @param server the address and login
     * @param bundle the trust and key material for TLS, {@code null} for none
     */
    record Details(
            RedisStandaloneConfiguration server, @Nullable SslBundle bundle) {

        private static List<String> ofTheApplication(RedisEvidence evidence) {
            return Stream.of(evidence.names(DataRedisConnectionDetails.class))
                    .filter(evidence::isOfTheApplication)
                    .toList();
        }

        static Details read(ConfigurableListableBeanFactory beans, String bean) {
            DataRedisConnectionDetails details = beans.getBean(bean, DataRedisConnectionDetails.class);
            Standalone address = details.getStandalone();
            if (address == null) {
                throw new LockConfigurationException(
                        "lock.redis",
                        null,
                        "names a single server, and the connection details in the bean '" + bean + "' name none",
                        "Remove the server from 'lock.redis', so that locks use the connection factory of the"
                                + " application; or set 'lock.redis.connection-factory' to the name of another.");
            }
            RedisStandaloneConfiguration server =
                    new RedisStandaloneConfiguration(address.getHost(), address.getPort());
            server.setDatabase(address.getDatabase());
            server.setUsername(details.getUsername());
            server.setPassword(details.getPassword());
            return new Details(server, details.getSslBundle());
        }
    }
}
