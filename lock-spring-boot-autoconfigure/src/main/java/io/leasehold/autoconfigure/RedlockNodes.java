package io.leasehold.autoconfigure;

import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.redlock.RedlockNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * Makes the nodes of the redlock backend, each with a client of its own.
 *
 * @param clients how each is connected to
 */
record RedlockNodes(LettuceClients clients) {

    RedlockNode create(String property, RedlockNodeProperties properties) {
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

    private static RedisStandaloneConfiguration server(RedlockNodeProperties properties) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();
        server.setHostName(String.valueOf(properties.host()));
        server.setPort(properties.port());
        server.setUsername(properties.username());
        server.setPassword(properties.password());
        return server;
    }
}
