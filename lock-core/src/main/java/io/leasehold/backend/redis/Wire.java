package io.leasehold.backend.redis;

import io.lettuce.core.protocol.RedisCommand;
import java.util.List;

/** Where quick calls send their commands. */
interface Wire {

    /**
     * Sends commands in one write. Each ends with its answer, or with what was wrong; some wires hold the thread until
     * then.
     */
    void send(List<? extends RedisCommand<byte[], byte[], ?>> commands);
}
