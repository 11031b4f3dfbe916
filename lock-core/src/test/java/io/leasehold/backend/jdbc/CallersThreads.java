package io.leasehold.backend.jdbc;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** A backend as callers see it who wait for each answer: whatever may hold their threads does. */
record CallersThreads(LockBackend target) implements LockBackend {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return target.acquire(new AcquireCommand(
                command.id(), command.token(), command.ttl(), command.fences(), command.willWait(), PATIENCE));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return target.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return target.release(new ReleaseCommand(command.id(), command.token(), command.keepFor(), PATIENCE));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return target.inspect();
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return target.clockMillis();
    }

    @Override
    public void close() {
        target.close();
    }
}
