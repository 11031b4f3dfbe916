package io.leasehold.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.TimeUnit;

/** The one connection on which this process hears of the turns of its waiting callers. It ends with its client. */
final class LettuceSubscription extends RedisPubSubAdapter<byte[], byte[]> {

    private static final int PING_SECONDS = 5;

    private final WakeupSubscription turns;

    private LettuceSubscription(WakeupSubscription turns) {
        this.turns = turns;
    }

    static void open(AbstractRedisClient client, WakeupSubscription turns) {
        StatefulRedisPubSubConnection<byte[], byte[]> connection = client instanceof RedisClusterClient cluster
                ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
        connection.addListener(new LettuceSubscription(turns));
        connection.sync().subscribe(turns.channel());
        askWhetherItLives(connection);
    }

    /** Nothing is ever sent on this connection otherwise, so nobody would notice that nothing can be heard any more. */
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
        turns.come(message);
    }
}
