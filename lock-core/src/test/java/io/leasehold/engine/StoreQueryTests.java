package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener;
import io.leasehold.LockListing;
import io.leasehold.LockListing.Entry;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to a store about its locks: the waits for it, its failures, and what this process adds to its answers. */
class StoreQueryTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    private final LockEngine engine = time.engine(new LockListener() {});

    private final LeaseLocker locker = engine.locker(VirtualTime.settings("query"), "scripted", backend);

    private final CompletableFuture<Void> connection = new CompletableFuture<>();

    @AfterEach
    void close() {
        time.close(engine);
    }

    @Test
    void theTimeToConnectIsNotThatOfAnAnswer() {
        backend.onConnect = () -> connection;
        CompletableFuture<LockState> state = locker.describe("a").toCompletableFuture();
        time.pass(Duration.ofSeconds(8));
        assertThat(state).isNotDone();
        connection.complete(null);
        Awaitility.await().until(state::isDone);
        assertThat(state).isCompletedWithValue(new LockState.Free());
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aStoreThatCannotBeReachedIsAFailureAfterTenSeconds() {
        backend.onConnect = () -> connection;
        CompletableFuture<LockState> state = locker.describe("a").toCompletableFuture();
        time.pass(Duration.ofSeconds(10));
        Awaitility.await().until(state::isDone);
        assertThat(state)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("no connection to the store within 10 s");
        assertThat(connection).isCancelled();
    }

    @Test
    void aFailedConnectionIsNamed() {
        backend.onConnect = () -> CompletableFuture.failedFuture(new IllegalStateException("refused by the store"));
        assertThat(locker.describe("a"))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("refused by the store");
    }

    @Test
    void aConnectionThatFailsLaterIsNamed() {
        backend.onConnect = () -> connection;
        CompletionStage<LockState> state = locker.describe("a");
        connection.completeExceptionally(new IllegalStateException("refused by the store"));
        assertThat(state)
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageEndingWith("is unknown: refused by the store");
    }

    @Test
    void aStoreThatDoesNotAnswerIsAFailureAfterTheCommandTimeout() {
        LeaseLocker named = engine.locker(
                VirtualTime.settings("query"), "scripted", "'store.url'", backend, UnaryOperator.identity());
        CompletableFuture<LockState> asked = ScriptedBackend.never();
        backend.onDescribe = () -> asked;
        CompletableFuture<LockState> state = named.describe("a").toCompletableFuture();
        time.pass(Duration.ofMillis(999));
        assertThat(state).isNotDone();
        time.pass(Duration.ofMillis(1));
        assertThat(state)
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessage(
                        "the state of lock 'a' of locker 'query' is unknown: the store did not answer within 1000 ms."
                                + " Store 'scripted' is configured by 'store.url'");
        assertThat(asked).isCancelled();
    }

    @Test
    void aListingMayTakeTenSeconds() {
        backend.onList = ScriptedBackend::never;
        CompletableFuture<LockListing> listing = locker.list(1).toCompletableFuture();
        time.pass(Duration.ofMillis(9_999));
        assertThat(listing).isNotDone();
        time.pass(Duration.ofMillis(1));
        assertThat(listing).failsWithin(LONG).withThrowableThat().withMessageContaining("within 10000 ms");
    }

    @Test
    void aListingHasOneToTenThousandLocks() {
        assertThat(locker.list(1)).isCompleted();
        assertThat(locker.list(10_000)).isCompleted();
        assertThatIllegalArgumentException().isThrownBy(() -> locker.list(0)).withMessageContaining("0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locker.list(10_001))
                .withMessageContaining("10001");
    }

    @Test
    void anAnswerThatArrivesLaterEndsTheTimeout() {
        CompletableFuture<LockState> asked = ScriptedBackend.never();
        backend.onDescribe = () -> asked;
        CompletionStage<LockState> state = locker.describe("a");
        asked.complete(new LockState.Free());
        assertThat(state).succeedsWithin(LONG).isEqualTo(new LockState.Free());
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aCallerThatCancelsEndsTheQuestion() {
        CompletableFuture<LockState> asked = ScriptedBackend.never();
        backend.onDescribe = () -> asked;
        locker.describe("a").toCompletableFuture().cancel(true);
        assertThat(asked).isCancelled();
    }

    @Test
    void aStoreThatThrowsIsAFailure() {
        backend.onDescribe = () -> {
            throw new IllegalStateException("store is down");
        };
        assertThat(locker.describe("a"))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("store is down");
    }

    @Test
    void theStoreIsToldTheThreadThatRequestsALock() {
        List<Token> tokens = new ArrayList<>();
        backend.onAcquire = command -> {
            tokens.add(command.token());
            return ScriptedBackend.done(new AcquireAnswer.Granted(1));
        };
        locker.lock("a");
        locker.tryLockAsync(LockRequest.of("b")).toCompletableFuture().join();
        assertThat(tokens)
                .extracting(Token::threadId)
                .containsExactly(Thread.currentThread().getId(), 0L);
    }

    /** Redis loses the fencing token of a long lease, and has the name of its holder. */
    @Test
    void aLockOfThisProcessIsRecognizedByTheThreadOfItsGrant() {
        LockHandle first = locker.lock("a");
        String ofTheGrant = instance() + ", thread " + Thread.currentThread().getId();
        CompletableFuture<Optional<LockHandle>> next = locker.tryLockAsync(
                        LockRequest.of("a").withWaitTime(Duration.ofMinutes(1)))
                .toCompletableFuture();
        assertThat(((Held) described(holder(ofTheGrant, Kind.HOLDER, 0))).holder())
                .isEqualTo(ofTheGrant);
        // of a thread with a long id, which Redis does not have
        assertThat(((Held) described(holder(instance(), Kind.HOLDER, 0))).holder())
                .isEqualTo(ofTheGrant);
        first.close();
        assertThat(((Held) described(holder(ofTheGrant, Kind.HOLDER, 0))).holder())
                .isEqualTo(instance());
        Held ofAnother = holder(instance() + ", thread 0", Kind.HOLDER, 0);
        assertThat(described(ofAnother)).isEqualTo(ofAnother);
        next.join().orElseThrow().close();
    }

    /** The store knows the grant. A hand-over, which it does not see, changes the holder. */
    @Test
    void aLockOfThisProcessHasItsPresentHolder() {
        LockHandle first = locker.lock("a");
        // the last of its grant's eight
        Held stored = holder(instance(), Kind.HOLDER, first.fencingToken() + 7);
        CompletableFuture<Optional<LockHandle>> next = locker.tryLockAsync(
                        LockRequest.of("a").withWaitTime(Duration.ofMinutes(1)))
                .toCompletableFuture();
        time.freeze(Duration.ofMillis(10));
        first.close();
        long since = time.wallMillis();
        time.freeze(Duration.ofSeconds(3));
        Held present = new Held(
                Kind.HOLDER,
                instance(),
                Instant.ofEpochMilli(since),
                stored.remaining(),
                OptionalLong.of(next.join().orElseThrow().fencingToken()),
                stored.waiting());
        assertThat(described(stored)).isEqualTo(present);
        assertThat(listed(stored)).isEqualTo(present);
    }

    @Test
    void aLockThatTheStoreGivesToAnotherIsDescribedAsInTheStore() {
        locker.lock("a");
        Held ofAnother = holder("another process", Kind.HOLDER);
        assertThat(described(ofAnother)).isEqualTo(ofAnother);
        assertThat(listed(ofAnother)).isEqualTo(ofAnother);
        Held released = holder(instance(), Kind.RELEASED);
        assertThat(described(released)).isEqualTo(released);
    }

    @Test
    void aLockThatThisProcessHasReleasedIsDescribedAsInTheStore() {
        locker.lock("a").close();
        Held stored = holder(instance(), Kind.HOLDER);
        assertThat(described(stored)).isEqualTo(stored);
        assertThat(listed(stored)).isEqualTo(stored);
    }

    @Test
    void theMessageForACallerWithoutTheLockNamesTheHolder() {
        backend.onDescribe = () -> ScriptedBackend.done(holder("another process", Kind.HOLDER));
        assertThat(refusal(locker))
                .endsWith("5000 ms that were waited; now it is held by 'another process' since"
                        + " 1970-01-01T00:00:00Z for another 20000 ms");
        backend.onDescribe = () -> CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        assertThat(refusal(locker)).endsWith("5000 ms that were waited");
    }

    @Test
    void anInterruptEndsTheReadForTheMessage() {
        backend.onAcquire = command -> ScriptedBackend.done(new AcquireAnswer.Busy(LONG));
        backend.onDescribe = () -> {
            Thread.currentThread().interrupt();
            return ScriptedBackend.never();
        };
        CompletableFuture<Boolean> interrupted = EngineInVirtualTime.onAThread(() -> {
            try {
                locker.lock(LockRequest.of("a").withWaitTime(Duration.ZERO));
                return false;
            } catch (LockInterruptedException ex) {
                return Thread.currentThread().isInterrupted();
            }
        });
        assertThat(interrupted).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void theHolderIsNotAskedForIfTheMessageMustNotNameIt() {
        LeaseLocker discreet =
                engine.locker(VirtualTime.settings("query").withReportHolder(false), "scripted", backend);
        backend.onDescribe = () -> ScriptedBackend.done(holder("another process", Kind.HOLDER));
        assertThat(refusal(discreet)).endsWith("5000 ms that were waited");
    }

    private static String refusal(LeaseLocker locker) {
        return locker.notAcquired("a", Duration.ofSeconds(5))
                .toCompletableFuture()
                .join()
                .getMessage();
    }

    private LockState described(Held stored) {
        backend.onDescribe = () -> ScriptedBackend.done(stored);
        return locker.describe("a").toCompletableFuture().join();
    }

    private LockState listed(Held stored) {
        Held other = holder("another process", Kind.HOLDER);
        backend.onList = () -> ScriptedBackend.done(
                new LockListing(List.of(new Entry("a", stored), new Entry("b", other)), "more are held"));
        LockListing listing = locker.list(2).toCompletableFuture().join();
        assertThat(listing.incomplete()).isEqualTo("more are held");
        assertThat(listing.locks()).extracting(Entry::key).containsExactly("a", "b");
        assertThat(listing.locks().get(1).state()).isEqualTo(other);
        return listing.locks().get(0).state();
    }

    private String instance() {
        return locker.state().resources().tokens().instance().name();
    }

    private static Held holder(String name, Kind kind) {
        return holder(name, kind, 108);
    }

    private static Held holder(String name, Kind kind, long fencingToken) {
        return new Held(
                kind, name, Instant.EPOCH, Duration.ofSeconds(20), OptionalLong.of(fencingToken), OptionalInt.of(2));
    }
}
