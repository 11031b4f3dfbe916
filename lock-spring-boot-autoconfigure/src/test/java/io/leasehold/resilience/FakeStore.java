package io.leasehold.resilience;

import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store whose acquisitions a test answers, and that notes what it is asked. */
final class FakeStore extends DelegatingLockBackend {

    final List<String> asked = new ArrayList<>();

    private final Deque<CompletableFuture<AcquireAnswer>> open = new ArrayDeque<>();

    /** What the client throws. */
    @Nullable
    Error error;

    /** Whether the answers are stages of which a caller gets only copies. */
    boolean minimal;

    CompletionStage<Void> connection = CompletableFuture.completedFuture(null);

    FakeStore() {
        super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
    }

    @Override
    public CompletionStage<Void> connect() {
        asked.add("connect");
        return connection;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        asked.add("acquire");
        if (error != null) {
            throw error;
        }
        CompletableFuture<AcquireAnswer> answer = new CompletableFuture<>();
        open.add(answer);
        return minimal ? answer.minimalCompletionStage() : answer;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        asked.add("renew");
        return super.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        asked.add("release");
        return super.release(command);
    }

    void answer(AcquireAnswer answer) {
        open.remove().complete(answer);
    }

    void fail(Throwable failure) {
        open.remove().completeExceptionally(failure);
    }
}
