package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Callbacks of the application that block do not delay the renewal of other locks. The test's thread is the engine's
 * timer and the store's client. A callback on one of those threads would therefore block the test itself.
 */
@Timeout(60)
class BlockingCallbacksTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final int THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    private final CountDownLatch blocked = new CountDownLatch(1);

    private final CountDownLatch unblocked = new CountDownLatch(1);

    private final LockListener listener = new LockListener() {

        @Override
        public void renewed(LockHandle handle, RenewOutcome outcome) {
            blockFor("renewed", handle.key());
        }

        @Override
        public void atRisk(LockHandle handle) {
            blockFor("at-risk", handle.key());
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            blockFor("lost", handle.key());
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            blockFor("ended", attempt.key());
        }
    };

    private final EngineExecutors executors = EngineExecutors.daemons();

    private final LockEngine engine = time.engine(listener, time, time, executors);

    private final LeaseLocker locker =
            engine.locker(VirtualTime.settings("deploy").withTtl(Duration.ofSeconds(30)), "scripted", backend);

    private final LockHandle other = locker.lock("other");

    @AfterEach
    void close() {
        unblocked.countDown();
        time.close(engine);
        quiet.close();
    }

    @Test
    void continuationsAfterAGrantOfTheStore() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        locker.tryLockAsync(LockRequest.of("service")).thenAccept(lock -> block());
        answer.complete(new Granted(7));
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void continuationsAfterAMissingAnswer() {
        backend.onAcquire = command -> ScriptedBackend.never();
        locker.tryLockAsync(LockRequest.of("service")).whenComplete((lock, failure) -> block());
        time.pass(Duration.ofSeconds(2));
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void continuationsAfterTheEndOfAWait() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG));
        locker.tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ofSeconds(1)))
                .thenAccept(lock -> block());
        await().atMost(LONG).until(() -> {
            time.pass(Duration.ofMillis(100));
            return blocked.getCount() == 0;
        });
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void continuationsAfterAHandoff() {
        LockHandle holder = locker.lock("service");
        locker.tryLockAsync(LockRequest.of("service").withWaitTime(LONG)).thenAccept(lock -> block());
        holder.close();
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void continuationsAfterAnAnsweredRelease() {
        LockHandle lock = locker.lock("service");
        CompletableFuture<ReleaseAnswer> answer = ScriptedBackend.never();
        backend.onRelease = command -> answer;
        lock.releaseAsync().thenAccept(released -> block());
        answer.complete(ReleaseAnswer.RELEASED);
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void continuationsAfterAnUnansweredRelease() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> ScriptedBackend.never();
        lock.releaseAsync().thenAccept(released -> block());
        time.pass(Duration.ofSeconds(2));
        assertThatOtherLocksAreRenewed();
    }

    /** Each waits for the name of the holder. The answer of the store must not need one of their threads. */
    @Test
    void continuationsThatDoNotGetALock() {
        CompletableFuture<LockState> holder = ScriptedBackend.never();
        CountDownLatch asked = new CountDownLatch(THREADS);
        backend.onDescribe = () -> {
            asked.countDown();
            return holder.copy();
        };
        CompletableFuture<?> results = continuations(
                command -> ScriptedBackend.done(new Busy(LONG)),
                lock -> assertThatThrownBy(() -> locker.lock("busy")).isInstanceOf(LockNotAcquiredException.class));
        assertThat(isReached(asked))
                .as("all threads wait for the name of the holder")
                .isTrue();
        holder.complete(new LockState.Unknown("the test"));
        assertThat(results).succeedsWithin(LONG);
    }

    /** Each waits for its release. The answer of the store must not need one of their threads. */
    @Test
    void continuationsThatWaitForARelease() {
        CompletableFuture<ReleaseAnswer> released = ScriptedBackend.never();
        CountDownLatch asked = new CountDownLatch(THREADS);
        backend.onRelease = command -> {
            asked.countDown();
            return released.copy();
        };
        CompletableFuture<?> results = continuations(
                new ScriptedBackend().onAcquire,
                lock -> lock.releaseAsync().toCompletableFuture().join());
        assertThat(isReached(asked)).as("all threads wait for a release").isTrue();
        released.complete(ReleaseAnswer.RELEASED);
        assertThat(results).succeedsWithin(LONG);
        backend.onRelease = new ScriptedBackend().onRelease;
    }

    @Test
    void continuationsThatWaitForAnotherLock() {
        CompletableFuture<AcquireAnswer> second = ScriptedBackend.never();
        CountDownLatch asked = new CountDownLatch(THREADS);
        CompletableFuture<?> results = continuations(command -> second.copy(), lock -> {
            CompletableFuture<Optional<LockHandle>> next =
                    locker.tryLockAsync(LockRequest.of("next of " + lock.key())).toCompletableFuture();
            asked.countDown();
            next.join().orElseThrow().close();
            lock.close();
        });
        assertThat(isReached(asked)).as("all threads wait for another lock").isTrue();
        second.complete(new Granted(8));
        assertThat(results).succeedsWithin(LONG);
    }

    /** Runs the work with a lock on each of the threads for asynchronous results. */
    private CompletableFuture<?> continuations(
            Function<AcquireCommand, CompletionStage<AcquireAnswer>> afterwards, Consumer<LockHandle> work) {
        CompletableFuture<AcquireAnswer> granted = ScriptedBackend.never();
        backend.onAcquire = command -> granted.copy();
        CompletableFuture<?> results = CompletableFuture.allOf(IntStream.range(0, THREADS)
                .mapToObj(i -> locker.tryLockAsync(LockRequest.of("service" + i))
                        .thenAccept(lock -> work.accept(lock.orElseThrow()))
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new));
        backend.onAcquire = afterwards;
        granted.complete(new Granted(7));
        return results;
    }

    @Test
    void aCallbackOfALostLock() {
        LockHandle lock = locker.lock("service");
        lock.onLost(reason -> block());
        lose();
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void aListenerOfARenewal() {
        locker.lock("renewed");
        time.pass(Duration.ofSeconds(11));
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void aListenerOfARisk() {
        locker.lock("at-risk");
        backend.onRenew = commands -> ScriptedBackend.never();
        time.pass(Duration.ofSeconds(22));
        backend.onRenew = new ScriptedBackend().onRenew;
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void aListenerOfALoss() {
        locker.lock("lost");
        lose();
        assertThatOtherLocksAreRenewed();
    }

    @Test
    void aListenerOfAnAsynchronousAcquisition() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        locker.tryLockAsync(LockRequest.of("ended"));
        answer.complete(new Granted(7));
        assertThatOtherLocksAreRenewed();
    }

    /** Makes the store deny all locks but the first one. */
    private void lose() {
        backend.onRenew = commands -> ScriptedBackend.done(commands.stream()
                .map(command -> command.id().encoded().endsWith(":other") ? RenewAnswer.RENEWED : RenewAnswer.NOT_OWNER)
                .toList());
        time.pass(Duration.ofSeconds(11));
        backend.onRenew = new ScriptedBackend().onRenew;
    }

    private void assertThatOtherLocksAreRenewed() {
        backend.onRelease = new ScriptedBackend().onRelease;
        assertThat(isReached(blocked)).as("the callback was called").isTrue();
        time.pass(Duration.ofMinutes(2));
        assertThat(other.isHeld()).isTrue();
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        other.releaseAsync().thenAccept(released::complete);
        assertThat(released).succeedsWithin(LONG).isEqualTo(true);
        assertThat(unblocked.getCount()).as("the callback still blocks").isOne();
    }

    private void blockFor(String event, String key) {
        if (key.equals(event)) {
            block();
        }
    }

    private void block() {
        blocked.countDown();
        isReached(unblocked);
    }

    private static boolean isReached(CountDownLatch latch) {
        try {
            return latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
