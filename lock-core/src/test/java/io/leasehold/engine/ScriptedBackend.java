package io.leasehold.engine;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store that answers as scripted and records its requests. */
final class ScriptedBackend implements LockBackend {

    final List<AcquireCommand> acquired = new CopyOnWriteArrayList<>();

    final List<List<RenewCommand>> renewed = new CopyOnWriteArrayList<>();

    final List<ReleaseCommand> released = new CopyOnWriteArrayList<>();

    private long fence = 100;

    Function<AcquireCommand, CompletionStage<AcquireAnswer>> onAcquire = command -> {
        long first = fence;
        fence += command.fencingTokens();
        return done(new AcquireAnswer.Granted(first));
    };

    Function<List<RenewCommand>, CompletionStage<List<RenewAnswer>>> onRenew = commands -> {
        List<RenewAnswer> answers = new ArrayList<>();
        commands.forEach(command -> answers.add(RenewAnswer.RENEWED));
        return done(answers);
    };

    Function<ReleaseCommand, CompletionStage<ReleaseAnswer>> onRelease = command -> done(ReleaseAnswer.RELEASED);

    Supplier<CompletionStage<LockState>> onDescribe = () -> done(new LockState.Free());

    Supplier<CompletionStage<LockListing>> onList = () -> done(new LockListing(List.of(), null));

    Function<Instance, CompletionStage<Void>> onIntroduce = instance -> done(null);

    Supplier<CompletionStage<Void>> onConnect = () -> done(null);

    @Override
    public CompletionStage<Void> connect() {
        return onConnect.get();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        acquired.add(command);
        return onAcquire.apply(command);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        renewed.add(List.copyOf(commands));
        return onRenew.apply(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        released.add(command);
        return onRelease.apply(command);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return onDescribe.get();
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return onList.get();
    }

    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        return onIntroduce.apply(instance);
    }

    static <T> CompletableFuture<T> done(T answer) {
        return CompletableFuture.completedFuture(answer);
    }

    static <T> CompletableFuture<T> never() {
        return new CompletableFuture<>();
    }
}
