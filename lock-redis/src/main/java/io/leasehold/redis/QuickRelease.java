package io.leasehold.redis;

import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.lettuce.core.protocol.CommandArgs;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Gives back a lock that nobody waits for. */
final class QuickRelease extends QuickCall<ReleaseAnswer> {

    QuickRelease(ReleaseCommand command, Supplier<CompletableFuture<ReleaseAnswer>> longWay) {
        super(command.id(), command.token(), longWay);
    }

    @Override
    int keys() {
        return 2;
    }

    @Override
    void addKeys(CommandArgs<byte[], byte[]> arguments) {
        arguments.addKey(RedisKeys.lock(id())).addKey(RedisKeys.queue(id()));
    }

    @Override
    void addValues(CommandArgs<byte[], byte[]> arguments) {
        arguments.addValue(token()).add(0);
    }

    @Override
    ReleaseAnswer meaning(long answer) {
        return ReleaseAnswer.RELEASED;
    }
}
