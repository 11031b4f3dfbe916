package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The locks of a thread, and work that runs under a lock. */
class LockContextTests {

    private final FakeLocker locker = new FakeLocker();

    private final List<LockHandle> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void noLockIsLeft() {
        List<LockHandle> left = LockContext.all();
        LockContext.restore(null);
        assertThat(left).isEmpty();
    }

    /** As a job that submits its next run, to an executor that carries the context. */
    @Test
    void aCaptureHasNoLocksOfWorkThatHasEnded() throws Exception {
        LockContext.Snapshot carried = null;
        for (int round = 0; round < 10; round++) {
            LockContext.restore(carried);
            LockHandle handle = new FakeLocker().lock("k" + round);
            AtomicReference<LockContext.Snapshot> captured = new AtomicReference<>();
            LockContext.call(handle, () -> {
                captured.set(LockContext.capture());
                return null;
            });
            handle.close();
            carried = captured.get();
        }
        LockContext.restore(carried);
        LockContext.restore(LockContext.capture());
        assertThat(LockContext.all()).isEmpty();
    }

    @Test
    void noWorkBeginsUnderALockThatIsLostAlready() {
        FakeLocker grants = new FakeLocker().loseNext();
        AtomicBoolean ran = new AtomicBoolean();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> grants.executeLocked("k", () -> ran.set(true)));
        assertThat(ran).isFalse();
    }

    @ParameterizedTest
    @MethodSource("unfinished")
    void aResultThatGoesOnWithoutTheLockIsRefused(Object result) {
        assertThatIllegalStateException()
                .isThrownBy(() -> locker.executeLocked("k", () -> result))
                .withMessageContainingAll(
                        "lock 'k' of locker 'fake'", result.getClass().getName(), "tryLockAsync");
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    static Stream<Object> unfinished() {
        return Stream.of(
                new CompletableFuture<>(),
                new CompletableFuture<>().minimalCompletionStage(),
                new FutureTask<>(() -> "later"),
                new SubmissionPublisher<>(Runnable::run, 1),
                Stream.of("later"),
                List.of("later").iterator(),
                List.of("later").spliterator(),
                Collections.enumeration(List.of("later")),
                Reader.nullReader(),
                InputStream.nullInputStream());
    }

    @Test
    void anInnerCallRefusesSuchAResultToo() throws Exception {
        locker.executeLocked(
                "k",
                () -> assertThatIllegalStateException()
                        .isThrownBy(() -> locker.executeLocked("k", () -> new CompletableFuture<>())));
    }

    /** The outer call still has the lock while it reads the stream, and refuses it as its own result. */
    @Test
    void anOuterCallReadsAStreamOfAnInnerOneUnderTheLock() throws Exception {
        assertThat(locker.<Object>executeLocked(
                        "k",
                        () -> locker.executeLocked("k", () -> Stream.of("row")).toList()))
                .isEqualTo(List.of("row"));
        assertThatIllegalStateException()
                .isThrownBy(() -> locker.executeLocked("k", () -> locker.executeLocked("k", () -> Stream.of("row"))));
    }

    @Test
    void aResultThatIsDoneIsReturned() throws Exception {
        CompletableFuture<String> done = CompletableFuture.completedFuture("done");
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("work"));
        assertThat(locker.<Object>executeLocked("k", () -> done)).isSameAs(done);
        assertThat(locker.<Object>executeLocked("k", () -> failed)).isSameAs(failed);
        assertThat(locker.<Object>executeLocked("k", done::minimalCompletionStage))
                .isNotNull();
    }

    @Test
    void outsideALockTheContextIsEmpty() {
        assertThat(LockContext.current()).isEmpty();
        assertThat(LockContext.find("fake", "k")).isEmpty();
    }

    @Test
    void theInnermostLockIsTheCurrentOne() throws Exception {
        FakeHandle outer = new FakeHandle("fake", "outer");
        FakeHandle inner = new FakeHandle("fake", "inner");
        LockContext.call(outer, () -> {
            assertThat(LockContext.current()).containsSame(outer);
            LockContext.call(inner, () -> assertThat(LockContext.current()).containsSame(inner));
            return assertThat(LockContext.current()).containsSame(outer);
        });
    }

    @Test
    void theLastOfSeveralLocksIsTheCurrentOne() throws Exception {
        FakeHandle first = new FakeHandle("fake", "first");
        FakeHandle second = new FakeHandle("fake", "second");
        FakeHandle outer = new FakeHandle("fake", "outer");
        LockContext.call(outer, () -> {
            LockContext.call(
                    List.of(first, second), () -> assertThat(LockContext.all()).containsExactly(second, first, outer));
            return assertThat(LockContext.all()).containsExactly(outer);
        });
    }

    @Test
    void noneOfSeveralLocksIsJoinedAfterTheirWork() throws Exception {
        FakeHandle first = new FakeHandle("fake", "first");
        FakeHandle second = new FakeHandle("fake", "second");
        LockContext.Snapshot snapshot = LockContext.call(List.of(first, second), LockContext::capture);
        LockContext.restore(snapshot);
        assertThat(LockContext.all()).containsExactly(second, first);
        assertThat(LockContext.allOwn()).isEmpty();
        LockContext.restore(null);
    }

    @Test
    void everyEnclosingLockIsFoundByLockerAndKey() throws Exception {
        FakeHandle outer = new FakeHandle("fake", "outer");
        FakeHandle inner = new FakeHandle("fake", "inner");
        LockContext.call(
                outer,
                () -> LockContext.call(inner, () -> {
                    assertThat(LockContext.find("fake", "outer")).containsSame(outer);
                    assertThat(LockContext.find("fake", "inner")).containsSame(inner);
                    assertThat(LockContext.find("other", "inner")).isEmpty();
                    return assertThat(LockContext.find("fake", "other")).isEmpty();
                }));
    }

    @Test
    void aSnapshotShowsTheLocksOnAnotherThreadWithoutMakingThemItsOwn() throws Exception {
        FakeHandle outer = new FakeHandle("fake", "outer");
        FakeHandle inner = new FakeHandle("fake", "inner");
        assertThat(LockContext.capture()).isNull();
        LockContext.Snapshot snapshot = LockContext.call(outer, () -> LockContext.call(inner, LockContext::capture));
        Thread other = new Thread(() -> {
            LockContext.restore(snapshot);
            seen.addAll(LockContext.all());
            LockContext.findOwn(new FakeLocker(), "inner").ifPresent(seen::add);
            seen.addAll(LockContext.allOwn());
            LockContext.restore(null);
            seen.addAll(LockContext.all());
        });
        other.start();
        other.join();
        assertThat(seen).containsExactly(inner, outer);
        LockContext.restore(LockContext.Snapshot.of(List.of(inner, outer)));
        assertThat(LockContext.all()).containsExactly(inner, outer);
        assertThat(LockContext.find("fake", "outer")).containsSame(outer);
        assertThat(LockContext.findOwn(new FakeLocker(), "outer")).isEmpty();
        LockContext.restore(null);
    }

    /** A task that was submitted by the work may run on the same thread of a pool, after the lock was released. */
    @Test
    void aSnapshotIsTheThreadsOwnOnlyUntilTheEndOfTheWork() throws Exception {
        FakeHandle handle = new FakeHandle("fake", "key");
        LockContext.Snapshot snapshot = LockContext.call(handle, () -> {
            LockContext.Snapshot captured = Objects.requireNonNull(LockContext.capture());
            LockContext.restore(null);
            LockContext.restore(captured);
            assertThat(LockContext.findOwn(new FakeLocker(), "key")).containsSame(handle);
            return captured;
        });
        LockContext.restore(snapshot);
        assertThat(LockContext.all()).containsExactly(handle);
        assertThat(LockContext.findOwn(new FakeLocker(), "key")).isEmpty();
        assertThat(LockContext.allOwn()).isEmpty();
        LockContext.restore(null);
    }

    /** As an element of a coroutine's context does, which restores the locks of its publisher on each of its threads. */
    @Test
    void aCarriedLockThatTheThreadHasEnteredRemainsItsOwnUntilTheEndOfTheWork() throws Exception {
        FakeHandle carried = new FakeHandle("fake", "carried");
        FakeHandle entered = new FakeHandle("fake", "entered");
        FakeHandle notCarried = new FakeHandle("fake", "notCarried");
        Runnable leave = LockContext.enter(List.of(notCarried, entered));
        LockContext.Snapshot former = LockContext.capture();
        LockContext.restore(LockContext.Snapshot.of(List.of(carried, entered)));
        assertThat(LockContext.all()).containsExactly(carried, entered);
        assertThat(LockContext.allOwn()).containsExactly(entered);
        assertThat(LockContext.findOwn(new FakeLocker(), "entered")).containsSame(entered);
        LockContext.Snapshot captured = LockContext.capture();
        LockContext.restore(former);
        assertThat(LockContext.allOwn()).containsExactly(notCarried, entered);
        leave.run();
        LockContext.restore(captured);
        assertThat(LockContext.all()).containsExactly(carried, entered);
        assertThat(LockContext.allOwn()).isEmpty();
        LockContext.restore(null);
    }

    /** A pool may run the task on a thread that works under another lock, or on one that has worked under the same. */
    @Test
    void aCarriedLockThatTheThreadHasNotEnteredOrHasLeftIsNotItsOwn() throws Exception {
        FakeHandle carried = new FakeHandle("fake", "key");
        FakeHandle sameKey = new FakeHandle("fake", "key");
        LockContext.Snapshot snapshot = LockContext.Snapshot.of(List.of(carried));
        LockContext.call(sameKey, () -> {
            LockContext.Snapshot former = LockContext.capture();
            LockContext.restore(snapshot);
            assertThat(LockContext.allOwn()).isEmpty();
            LockContext.restore(former);
            return null;
        });
        LockContext.Snapshot ended = LockContext.call(carried, LockContext::capture);
        LockContext.restore(ended);
        LockContext.restore(snapshot);
        assertThat(LockContext.all()).containsExactly(carried);
        assertThat(LockContext.allOwn()).isEmpty();
        LockContext.restore(null);
    }

    @Test
    void allOfThemAreListedOnceFromTheInnermostOutwards() throws Exception {
        FakeHandle outer = new FakeHandle("fake", "outer");
        FakeHandle inner = new FakeHandle("fake", "inner");
        assertThat(LockContext.all()).isEmpty();
        LockContext.call(
                outer,
                () -> LockContext.call(
                        inner,
                        () -> LockContext.call(
                                inner, () -> assertThat(LockContext.all()).containsExactly(inner, outer))));
    }

    @Test
    void aFailureLeavesNoLockInTheContext() {
        assertThatThrownBy(() -> LockContext.call(new FakeHandle("fake", "k"), () -> {
                    throw new IOException("work");
                }))
                .isInstanceOf(IOException.class);
    }

    @Test
    void otherThreadsAreNotInTheContext() throws Exception {
        Optional<LockHandle> seen = LockContext.call(
                new FakeHandle("fake", "k"),
                () -> CompletableFuture.supplyAsync(LockContext::current).join());
        assertThat(seen).isEmpty();
    }

    @Test
    void callingNeitherAcquiresNorReleases() throws Exception {
        FakeHandle handle = new FakeHandle("fake", "k");
        LockContext.call(handle, () -> null);
        assertThat(handle.isReleased()).isFalse();
    }

    @Test
    void workRunsUnderItsLockWhichIsThenReleased() throws Exception {
        String answer = locker.executeLocked("k", () -> {
            assertThat(LockContext.current()).containsSame(locker.granted().get(0));
            assertThat(locker.granted().get(0).isReleased()).isFalse();
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void workWithoutAResultRunsUnderItsLockWhichIsThenReleased() {
        locker.executeLocked("k", () -> {
            assertThat(LockContext.current()).containsSame(locker.granted().get(0));
        });
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void aCheckedExceptionOfWorkThatDeclaresNoneIsWrapped() {
        IOException failure = new IOException("work");
        assertThatThrownBy(() -> locker.executeLocked("k", (Runnable) () -> sneakyThrow(failure)))
                .isInstanceOf(UndeclaredThrowableException.class)
                .hasCause(failure);
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void nestedWorkForTheSameKeyJoins() throws Exception {
        locker.executeLocked("k", () -> {
            locker.executeLocked(
                    "k",
                    () -> assertThat(LockContext.current())
                            .containsSame(locker.granted().get(0)));
            return assertThat(locker.granted().get(0).isHeld()).isTrue();
        });
        assertThat(locker.granted()).hasSize(1);
    }

    @Test
    void nestedWorkForAnotherKeyHasALockOfItsOwn() throws Exception {
        locker.executeLocked("k", () -> locker.executeLocked("other", () -> null));
        assertThat(locker.granted()).hasSize(2).allMatch(FakeHandle::isReleased);
    }

    @Test
    void nestedWorkDoesNotJoinALockThatIsLost() {
        assertThatThrownBy(() -> locker.executeLocked("k", () -> {
                    locker.granted().get(0).lose(LossReason.EXPIRED);
                    return locker.executeLocked("k", () -> {
                        throw new AssertionError("ran under a lost lock");
                    });
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void workThatReturnsAfterItsLockIsLostFails() {
        assertThatThrownBy(() -> locker.executeLocked("k", () -> {
                    locker.granted().get(0).lose(LossReason.NOT_OWNER);
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.NOT_OWNER));
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void theFailureOfTheWorkTakesPrecedence() {
        IOException failure = new IOException("work");
        assertThatThrownBy(() -> locker.executeLocked("k", () -> {
                    locker.granted().get(0).lose(LossReason.NOT_OWNER);
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(locker.granted()).singleElement().matches(FakeHandle::isReleased);
    }

    @Test
    void workDoesNotRunWithoutItsLock() {
        locker.busyNext();
        assertThatThrownBy(() -> locker.executeLocked("k", () -> {
                    throw new AssertionError("ran without its lock");
                }))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, refused -> {
                    assertThat(refused.locker()).isEqualTo("fake");
                    assertThat(refused.key()).isEqualTo("k");
                });
    }

    /** Throws a checked exception that the method does not declare, as Kotlin does. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneakyThrow(Exception failure) throws E {
        throw (E) failure;
    }
}
