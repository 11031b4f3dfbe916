package io.leasehold.backend.redis;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.lettuce.core.protocol.CommandArgs;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Takes a lock that is free. */
final class QuickAcquire extends QuickCall<AcquireAnswer> {

    private final AcquireCommand command;

    QuickAcquire(AcquireCommand command, Supplier<CompletableFuture<AcquireAnswer>> longWay) {
        super(command.id(), command.token(), longWay);
        this.command = command;
    }

    @Override
    int keys() {
        return 3;
    }

    @Override
    void addKeys(CommandArgs<byte[], byte[]> arguments) {
        arguments.addKey(RedisKeys.lock(id())).addKey(RedisKeys.fence(id())).addKey(RedisKeys.queue(id()));
    }

    @Override
    void addValues(CommandArgs<byte[], byte[]> arguments) {
        arguments.addValue(token()).add(command.ttl().toMillis()).add(command.fences());
    }

    @Override
    AcquireAnswer meaning(long answer) {
        return new Granted(answer);
    }
}
