package io.leasehold.faults;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockId;
import java.util.List;
import java.util.Optional;

/** The owner of a lock in Redis, read with the commands of an operator. */
final class KeptLock {

    private static final int TOKEN_DIGITS = 32;

    private KeptLock() {}

    /** The token of the owner, or of the waiter that was woken; empty if there is neither. */
    static Optional<String> tokenIn(RedisServer master, LockId id) {
        Object owner = master.command("GET", id.encoded());
        if (owner != null) {
            return Optional.of(token(owner.toString()));
        }
        Object head = master.command("ZRANGE", "{" + id.encoded() + "}:queue", "0", "0", "WITHSCORES");
        if (head instanceof List<?> waiter
                && !waiter.isEmpty()
                && waiter.get(1).toString().startsWith("-")) {
            String name = waiter.get(0).toString();
            return Optional.of(token(name.substring(name.indexOf('|') + 1)));
        }
        return Optional.empty();
    }

    /** The random bits of a token, without the id of the instance and the mark of a release. */
    private static String token(String value) {
        return value.substring(0, Math.min(TOKEN_DIGITS, value.length()));
    }
}
