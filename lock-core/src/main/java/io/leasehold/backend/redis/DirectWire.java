package io.leasehold.backend.redis;

import io.lettuce.core.protocol.RedisCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A connection that one caller has to itself, once: it is given back before the commands are completed, so whatever is
 * done then does not hold it up.
 *
 * @param connection the connection
 * @param from where it goes back to
 * @param patience how long the calling thread may be held; half of it is left for asking in another way
 * @param endsWithInterrupt whether an interrupt ends the wait
 */
record DirectWire(DirectConnection connection, DirectConnections from, Duration patience, boolean endsWithInterrupt)
        implements Wire {

    @Override
    public void send(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
        boolean answered = false;
        try {
            connection.exchange(commands, patience.dividedBy(2), endsWithInterrupt);
            answered = true;
        } catch (IOException | RuntimeException ex) {
            DirectConnectionLost lost = new DirectConnectionLost(ex);
            commands.forEach(command -> command.completeExceptionally(lost));
        } finally {
            if (answered) {
                from.giveBack(connection);
            } else {
                from.discard(connection);
            }
        }
        if (answered) {
            commands.forEach(RedisCommand::complete);
        }
    }
}
