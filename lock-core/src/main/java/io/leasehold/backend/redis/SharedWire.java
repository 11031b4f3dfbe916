package io.leasehold.backend.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;

/** The connection of Lettuce's that all callers share; what breaks with it is sent again by itself. */
record SharedWire(StatefulRedisConnection<byte[], byte[]> connection) implements Wire {

    @Override
    public void send(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
        try {
            if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
        } catch (RuntimeException ex) {
            commands.forEach(command -> command.completeExceptionally(ex));
        }
    }
}
