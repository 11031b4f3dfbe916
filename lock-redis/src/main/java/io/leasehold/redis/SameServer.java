package io.leasehold.redis;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Makes sure that our own connection leads where the application's does. A factory does not tell all that it was made
 * of: one for a fixed master with replicas, or one made from a general configuration, looks as if it were for a Redis on
 * this machine, and locks must not be kept in whatever Redis happens to be there.
 */
final class SameServer {

    private SameServer() {}

    static void require(LettuceConnectionFactory original, LettuceConnectionFactory own) {
        if (original.isClusterAware() || original.isRedisSentinelAware()) {
            return;
        }
        String theirs = runId(original);
        String ours = runId(own);
        if (theirs != null && ours != null && !theirs.equals(ours)) {
            throw new BackendFailure(
                    Effect.REFUSED,
                    "the RedisConnectionFactory connects to another Redis than its configuration says (a master with fixed"
                            + " replicas, perhaps): define one with a RedisStandaloneConfiguration for the master, and name"
                            + " it in 'lock.redis.connection-factory'",
                    null);
        }
    }

    /** Which server process answers; {@code null} if it may not be asked. */
    private static @Nullable String runId(LettuceConnectionFactory factory) {
        try (RedisConnection connection = factory.getConnection()) {
            Properties server = connection.serverCommands().info("server");
            return server == null ? null : server.getProperty("run_id");
        } catch (RedisSystemException ex) {
            if (RedisFailures.of(ex).effect() == Effect.REFUSED) {
                return null;
            }
            throw ex;
        }
    }
}
