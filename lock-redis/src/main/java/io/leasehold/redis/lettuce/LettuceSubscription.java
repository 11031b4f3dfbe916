package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.WakeupSubscription;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.TimeUnit;

/** The connection on which all waiting callers of this process are notified. It is closed with its client. */
final class LettuceSubscription extends RedisPubSubAdapter<byte[], byte[]> {

    private static final int PING_SECONDS = 5;

    private final WakeupSubscription wakeups;

    private LettuceSubscription(WakeupSubscription wakeups) {
        this.wakeups = wakeups;
    }

    static void open(AbstractRedisClient client, WakeupSubscription wakeups) {
        StatefulRedisPubSubConnection<byte[], byte[]> connection = client instanceof RedisClusterClient cluster
                ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
        connection.addListener(new LettuceSubscription(wakeups));
        connection.sync().subscribe(wakeups.channel());
        askWhetherItLives(connection);
    }

    /**
     * Sends a ping periodically. No other command is sent on this connection, so a dead connection would otherwise not
     * be detected.
     */
    private static void askWhetherItLives(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        connection
                .getResources()
                .eventExecutorGroup()
                .schedule(() -> askIfOpen(connection), PING_SECONDS, TimeUnit.SECONDS);
    }

    private static void askIfOpen(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        if (connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()) {
            return;
        }
        if (connection.isOpen()) {
            connection.async().ping();
        }
        askWhetherItLives(connection);
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        wakeups.wakeUp(message);
    }
}
