package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockSslProperties;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The redlock backend.
 *
 * @param nodes Independent Redis servers, an odd number of at least three. Must be the same for all instances.
 * @param nodeTimeout Longest time to wait for one server. By default, a twentieth of the ttl, at most 200ms.
 * @param maxTtl Longest ttl and minimum hold time of any locker on these servers. A restarted server has no vote for
 *     this long.
 */
@ConfigurationProperties(prefix = "lock.redlock", ignoreUnknownFields = false)
record RedlockLockProperties(
        @DefaultValue List<Node> nodes,
        @Nullable Duration nodeTimeout,
        @DefaultValue("1m") Duration maxTtl) {

    /**
     * One entry of {@code lock.redlock.nodes}.
     *
     * @param host Host of the server.
     * @param port Port of the server.
     * @param username User to log in as.
     * @param password Password of the user, or of the server.
     * @param persistsEveryWrite Whether the server forces every write to the disk, also while it saves a snapshot, so that
     *     it may vote directly after a restart.
     * @param ssl Encryption of the connections to the server.
     */
    record Node(
            @Nullable String host,
            @DefaultValue("6379") int port,
            @Nullable String username,
            @Nullable String password,
            boolean persistsEveryWrite,
            @DefaultValue LockSslProperties ssl) {

        String name() {
            return host() + ":" + port;
        }

        boolean hasHost() {
            return StringUtils.hasText(host);
        }

        /** The properties without the password. */
        @Override
        public String toString() {
            return "Node[" + name() + ", username=" + username + ", ssl=" + ssl + "]";
        }
    }
}
