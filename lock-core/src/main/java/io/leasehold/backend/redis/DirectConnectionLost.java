package io.leasehold.backend.redis;

import io.lettuce.core.RedisException;

/** There was no answer on a connection of a caller's own; what became of its commands is not known. */
final class DirectConnectionLost extends RedisException {

    private static final long serialVersionUID = 1;

    DirectConnectionLost(Throwable cause) {
        super("no answer: " + cause.getMessage(), cause);
    }
}
