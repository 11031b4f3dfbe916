package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.autoconfigure.redis.RedlockLockBackendConfiguration.OnNodesCondition;
import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.redlock.RedlockLockBackend;
import io.leasehold.redlock.RedlockLockOptions;
import io.leasehold.redlock.RedlockNode;
import io.leasehold.spi.LockBackend;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * The {@code redlock} backend, if its servers are listed in properties or in a bean. They do not have to be reachable
 * yet.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedlockLockBackend.class, LettuceConnectionFactory.class, RedisClient.class})
@Conditional(OnNodesCondition.class)
@EnableConfigurationProperties(RedlockLockProperties.class)
public class RedlockLockBackendConfiguration {

    @Bean
    RedlockLockBackendFactory leaseholdRedlockBackendFactory(
            RedlockLockProperties properties,
            ObjectProvider<RedlockConnectionDetails> details,
            ObjectProvider<SslBundles> bundles) {
        return new RedlockLockBackendFactory(properties, details.getIfAvailable(), new LettuceClients(bundles));
    }

    /** Matches if servers are configured. */
    static final class OnNodesCondition extends AnyNestedCondition {

        OnNodesCondition() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        /** Also in a source that cannot list its names. */
        @ConditionalOnProperty("lock.redlock.nodes[0].host")
        static class ByProperties {}

        @Conditional(OnListedNodes.class)
        static class ByList {}

        @ConditionalOnBean(RedlockConnectionDetails.class)
        static class ByDetails {}
    }

    /** Matches if the list has an entry, also one without a host, so that an incomplete list is refused. */
    static final class OnListedNodes implements Condition {

        private static final ConfigurationPropertyName NODES = ConfigurationPropertyName.of("lock.redlock.nodes");

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            if (StringUtils.hasText(context.getEnvironment().getProperty(NODES.toString()))) {
                return true;
            }
            return StreamSupport.stream(
                            ConfigurationPropertySources.get(context.getEnvironment())
                                    .spliterator(),
                            false)
                    .anyMatch(source -> source.containsDescendantOf(NODES) == ConfigurationPropertyState.PRESENT);
        }
    }

    record RedlockLockBackendFactory(
            RedlockLockProperties properties, @Nullable RedlockConnectionDetails details, LettuceClients clients)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return BackendType.REDLOCK.backend();
        }

        @Override
        public boolean isConfigured() {
            return true;
        }

        @Override
        public String setBy() {
            return details == null ? "'lock.redlock.nodes'" : "the RedlockConnectionDetails bean";
        }

        @Override
        public LockBackend create() {
            List<RedlockNode> made = new ArrayList<>();
            try {
                if (details != null) {
                    details.getNodes().forEach(node -> made.add(node(node)));
                } else {
                    for (int i = 0; i < properties.nodes().size(); i++) {
                        made.add(node(
                                "lock.redlock.nodes[" + i + "]",
                                properties.nodes().get(i)));
                    }
                }
                return LockConfigurationException.refusing("lock.redlock", () -> backend(made));
            } catch (RuntimeException ex) {
                made.forEach(node -> node.store().close());
                throw ex;
            }
        }

        @Override
        public void check(LockerSettings settings) {
            requireWithinMaxTtl(settings, settings.ttl(), "ttl");
            requireWithinMaxTtl(settings, settings.minHoldTime(), "min-hold-time");
        }

        private void requireWithinMaxTtl(LockerSettings settings, Duration value, String property) {
            if (value.compareTo(properties.maxTtl()) > 0) {
                throw new LockConfigurationException(
                        "lock.redlock.max-ttl",
                        properties.maxTtl(),
                        "must be at least " + PropertyValue.print(value) + ", the " + property + " of locker '"
                                + settings.name() + "'",
                        "Raise it for all instances, or lower the " + property + ".");
            }
        }

        private LockBackend backend(List<RedlockNode> made) {
            RedlockLockOptions options = new RedlockLockOptions(properties.nodeTimeout(), properties.maxTtl());
            return new RedlockLockBackend(made, options, StoreClock::nanos);
        }

        private RedlockNode node(String property, RedlockLockProperties.Node properties) {
            if (!properties.hasHost()) {
                throw new LockConfigurationException(
                        property + ".host", null, "must be set", "Set it to the host of one of the Redis servers.");
            }
            return new RedlockNode(
                    properties.name(),
                    RedisQuorumNode.of(
                            server(properties),
                            clients.of(property, properties.ssl()),
                            RedisLockOptions.defaults(),
                            properties.persistsEveryWrite()));
        }

        private RedlockNode node(RedlockConnectionDetails.Node node) {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(node.getHost(), node.getPort());
            server.setUsername(node.getUsername());
            server.setPassword(node.getPassword());
            return new RedlockNode(
                    node.getHost() + ":" + node.getPort(),
                    RedisQuorumNode.of(
                            server,
                            clients.of(node.getSslBundle()),
                            RedisLockOptions.defaults(),
                            node.persistsEveryWrite()));
        }

        private static RedisStandaloneConfiguration server(RedlockLockProperties.Node properties) {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();
            server.setHostName(String.valueOf(properties.host()));
            server.setPort(properties.port());
            server.setUsername(properties.username());
            server.setPassword(properties.password());
            return server;
        }
    }
}
