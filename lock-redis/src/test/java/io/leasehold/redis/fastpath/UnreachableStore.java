package io.leasehold.redis.fastpath;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that never answers, for tests to override. */
class UnreachableStore implements LockBackend {

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return new CompletableFuture<>();
    }
}
