package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.lettuce.core.resource.ClientResources;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Creates the connection factory for locks, which connects to the same server as the application's factory. */
final class LockConnectionFactory {

    private static final RedisStandaloneConfiguration DEFAULT = new RedisStandaloneConfiguration();

    private static final String ELSEWHERE =
            "the RedisConnectionFactory connects to another Redis than its configuration says (a master with fixed"
                    + " replicas, perhaps): define one with a RedisStandaloneConfiguration for the master, and name"
                    + " it in 'lock.redis.connection-factory'";

    private LockConnectionFactory() {}

    /** Creates a factory for the server of another one, with the settings for locks. The factory is not started. */
    static LettuceConnectionFactory like(LettuceConnectionFactory original, ClientResources resources) {
        LettuceConnectionFactory own = of(original, LockClientConfiguration.like(original, resources));
        own.setEagerInitialization(false);
        own.afterPropertiesSet();
        return own;
    }

    private static LettuceConnectionFactory of(LettuceConnectionFactory original, LettuceClientConfiguration client) {
        RedisClusterConfiguration cluster = original.getClusterConfiguration();
        RedisSentinelConfiguration sentinel = original.getSentinelConfiguration();
        if (cluster != null) {
            return new LettuceConnectionFactory(cluster, client);
        }
        if (sentinel != null) {
            return new LettuceConnectionFactory(sentinel, client);
        }
        return original.getSocketConfiguration() != null
                ? new LettuceConnectionFactory(original.getSocketConfiguration(), client)
                : new LettuceConnectionFactory(original.getStandaloneConfiguration(), client);
    }

    /**
     * Fails if the factories connect to different servers. A factory does not expose its complete configuration. A
     * factory for a fixed master with replicas, or one created from a general configuration, looks like a factory for a
     * Redis on this machine. Locks must not be stored in a Redis that is reached by accident. If only one of
     * the two servers tells which one it is, they are not the same.
     *
     * <p>This opens a connection of the application's factory, and only if its configuration leaves a doubt.
     */
    static void verifySameServer(LettuceConnectionFactory original, LettuceConnectionFactory own) {
        if (original.isClusterAware()
                || original.isRedisSentinelAware()
                || original.getSocketConfiguration() != null
                || !mayHideItsServer(original.getStandaloneConfiguration(), original)) {
            return;
        }
        String theirs = runId(original);
        String ours = runIdOrElsewhere(own);
        if (!Objects.equals(theirs, ours)) {
            throw new BackendFailure(Effect.REFUSED, ELSEWHERE, null);
        }
    }

    /** Called when the application's factory has just connected. */
    private static @Nullable String runIdOrElsewhere(LettuceConnectionFactory own) {
        try {
            return runId(own);
        } catch (RedisConnectionFailureException ex) {
            BackendFailure failure = RedisErrors.notConnected(ex);
            throw RedisErrors.errorReply(ex).isEmpty()
                    ? new BackendFailure(failure.effect(), failure.getMessage() + "; " + ELSEWHERE, ex)
                    : failure;
        }
    }

    /** A factory that uses another configuration than it exposes exposes the default, unless that was changed. */
    private static boolean mayHideItsServer(RedisStandaloneConfiguration exposed, LettuceConnectionFactory factory) {
        return exposed.getHostName().equals(DEFAULT.getHostName()) && exposed.getPort() == DEFAULT.getPort()
                || !exposed.getHostName().equals(factory.getHostName())
                || exposed.getPort() != factory.getPort();
    }

    /** Returns the run id of the server, or {@code null} if the user lacks the permission to read it. */
    private static @Nullable String runId(LettuceConnectionFactory factory) {
        try (RedisConnection connection = factory.getConnection()) {
            Properties server = connection.serverCommands().info("server");
            return server == null ? null : server.getProperty("run_id");
        } catch (RedisSystemException ex) {
            if (RedisErrors.of(ex).effect() == Effect.REFUSED) {
                return null;
            }
            throw ex;
        }
    }
}
