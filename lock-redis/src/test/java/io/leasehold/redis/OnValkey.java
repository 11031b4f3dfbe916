package io.leasehold.redis;

import io.leasehold.servers.redis.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The servers that a class of tests starts are those of Valkey. As in Redis since 7.2, {@code WAIT} counts the replicas
 * that have the last write of a connection, and in the Redis of the other tests those that have its last command.
 */
final class OnValkey implements BeforeAllCallback, AfterAllCallback {

    private @Nullable String before;

    @Override
    public void beforeAll(ExtensionContext context) {
        before = System.setProperty(RedisServer.PROGRAM, RedisServer.VALKEY);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (before == null) {
            System.clearProperty(RedisServer.PROGRAM);
        } else {
            System.setProperty(RedisServer.PROGRAM, before);
        }
    }
}
