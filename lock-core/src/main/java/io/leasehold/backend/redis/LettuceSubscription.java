package io.leasehold.backend.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/** The one connection on which this process hears of the turns of its waiting callers. It ends with its client. */
final class LettuceSubscription extends RedisPubSubAdapter<byte[], byte[]> {

    private final Turns turns;

    private LettuceSubscription(Turns turns) {
        this.turns = turns;
    }

    static void open(AbstractRedisClient client, Turns turns) {
        StatefulRedisPubSubConnection<byte[], byte[]> connection = client instanceof RedisClusterClient cluster
                ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
        connection.addListener(new LettuceSubscription(turns));
        connection.sync().subscribe(turns.channel());
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        turns.come(message);
    }
}
