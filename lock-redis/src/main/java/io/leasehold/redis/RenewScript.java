package io.leasehold.redis;

import io.leasehold.redis.client.RedisKeys;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys and arguments of {@code renew.lua}. All tokens are one argument. The ttl is one argument if it is the same
 * for all leases, which is the usual case. The number of arguments dominates the cost of large batches, in the client
 * and in Redis.
 */
record RenewScript(List<RenewCommand> commands) {

    private static final int TOKEN_LENGTH = 44;

    byte[][] keys() {
        byte[][] keys = new byte[commands.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = RedisKeys.lock(commands.get(i).id());
        }
        return keys;
    }

    byte[][] arguments(byte[] fenceRetention) {
        int ttls = haveOneTtl() ? 1 : commands.size();
        byte[][] arguments = new byte[2 + ttls][];
        arguments[0] = tokens();
        arguments[1] = fenceRetention;
        for (int i = 0; i < ttls; i++) {
            arguments[i + 2] = RedisKeys.bytes(commands.get(i).ttl().toMillis());
        }
        return arguments;
    }

    private byte[] tokens() {
        byte[] tokens = new byte[commands.size() * TOKEN_LENGTH];
        for (int i = 0; i < commands.size(); i++) {
            byte[] token = commands.get(i).token().bytesWithHolder();
            System.arraycopy(token, 0, tokens, i * TOKEN_LENGTH, TOKEN_LENGTH);
        }
        return tokens;
    }

    private boolean haveOneTtl() {
        Duration first = commands.get(0).ttl();
        for (RenewCommand command : commands) {
            if (!command.ttl().equals(first)) {
                return false;
            }
        }
        return true;
    }

    static List<RenewAnswer> parse(byte[] reply) {
        List<RenewAnswer> answers = new ArrayList<>(reply.length);
        for (byte each : reply) {
            answers.add(
                    switch (each) {
                        case '1' -> RenewAnswer.RENEWED;
                        case '2' -> RenewAnswer.REVOKED;
                        default -> RenewAnswer.NOT_OWNER;
                    });
        }
        return answers;
    }
}
