package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.spec.LockKeyException;
import io.leasehold.test.LockAssertions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class DistributedLockAspectTests {

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    @Test
    void theBodyRunsUnderTheLockAndTheLockEndsWithIt() throws Exception {
        boolean held = bean.proxy().keyed("a", () -> locker.isHeld("a"));
        assertThat(held).isTrue();
        assertThat(locker.isHeld("a")).isFalse();
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void termsOfTheAnnotationReachTheLocker() {
        bean.proxy().onTerms("a");
        assertThat(locker.requests)
                .containsExactly(new LockRequest(
                        "a",
                        Duration.ofMillis(250),
                        Duration.ofSeconds(10),
                        true,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(2)));
    }

    @Test
    void whatTheAnnotationLeavesOutIsLeftToTheLocker() throws Exception {
        bean.proxy().keyed("a", () -> "");
        assertThat(locker.requests).containsExactly(LockRequest.of("a"));
    }

    @Test
    void theBodyDoesNotRunWithoutTheLock() {
        locker.holdElsewhere("a");
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", this::mustNotRun))
                .satisfies(ex -> assertThat(ex.key()).isEqualTo("a"));
        LockAssertions.assertThat(locker).isLocked("a");
    }

    @Test
    void anInterruptEndsTheReadOfTheHolderForTheMessage() {
        locker.holdElsewhere("a");
        locker.onNotAcquired = () -> {
            Thread.currentThread().interrupt();
            return new CompletableFuture<>();
        };
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            try {
                bean.proxy().keyed("a", this::mustNotRun);
                return false;
            } catch (LockInterruptedException ex) {
                return Thread.interrupted();
            } catch (Exception ex) {
                throw new CompletionException(ex);
            }
        });
        assertThat(interrupted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }

    @Test
    void theBodyDoesNotRunWhenTheStoreDoesNotAnswer() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", this::mustNotRun));
    }

    @Test
    void aSkippedCallReturnsNull() {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().skippedObject("a")).isNull();
        bean.proxy().skippedVoid("a");
    }

    @Test
    void aSkippedCallReturnsAnEmptyOptional() {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().skippedOptional("a")).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerIsNoReasonToSkip() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().skippedObject("a"));
    }

    @Test
    void theExceptionOfTheBodyIsTheOneThatIsThrown() {
        IOException failure = new IOException("of the body");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> bean.proxy().failing("a", failure))
                .isSameAs(failure);
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void aLockExceptionOfTheBodyPassesThroughEvenWhereTheCallWouldBeSkipped() {
        LockNotAcquiredException failure = new LockNotAcquiredException("other", "k", Duration.ZERO);
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> bean.proxy().skippedFailing("a", failure))
                .isSameAs(failure);
    }

    @Test
    void aBrokenReleaseIsSuppressedUnderTheExceptionOfTheBody() {
        IOException failure = new IOException("of the body");
        IllegalStateException broken = new IllegalStateException("release");
        locker.beforeAnswer = () -> {};
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).brokenRelease = broken;
                    throw failure;
                }))
                .satisfies(ex -> assertThat(ex.getSuppressed()).hasSize(1));
    }

    @Test
    void aLostLockFailsTheCallEvenIfTheBodyReturned() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.lose("a");
                    return "returned";
                }));
    }

    @Test
    void theLossIsSuppressedUnderTheExceptionOfTheBody() {
        IOException failure = new IOException("of the body");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.lose("a");
                    throw failure;
                }))
                .satisfies(ex -> assertThat(ex.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    /** As after the suspension of the machine. */
    @Test
    void aLockThatTheStoreConfirmsAtTheEndFailsNoCall() throws Exception {
        assertThat(bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
                    locker.granted.get(0).isConfirmedByRenewal = true;
                    return "returned";
                }))
                .isEqualTo("returned");
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void aLockThatTheStoreHasToConfirmFailsTheCallAndIsReleased() {
        LockBackendException unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).unconfirmed = unconfirmed;
                    return "returned";
                }))
                .isSameAs(unconfirmed);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    /** The lock would otherwise be renewed for ever. */
    @Test
    void anErrorOfTheQuestionAtTheEndFailsTheCallAndReleasesTheLock() {
        Error error = new NoClassDefFoundError("of the driver");
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).brokenQuestion = error;
                    return "returned";
                }))
                .withCause(error);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    /** Java refuses an exception that is to be suppressed under itself. */
    @Test
    void theFailureOfALockThatTheBodyPassesOnReleasesTheLock() {
        LockBackendException unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).unconfirmed = unconfirmed;
                    throw unconfirmed;
                }))
                .isSameAs(unconfirmed);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void theExceptionOfTheBodyTakesPrecedenceOverALockThatTheStoreHasToConfirm() {
        LockBackendException unconfirmed = new LockBackendException("not confirmed", "default", "a", null);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.granted.get(0).unconfirmed = unconfirmed;
                    throw new IOException("of the body");
                }))
                .satisfies(ex -> assertThat(ex.getSuppressed()).containsExactly(unconfirmed));
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void aLossThatTheBodyThrewItselfIsNotSuppressedUnderItself() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.lose("a");
                    LockContext.current().orElseThrow().requireHeld();
                    return "";
                }))
                .satisfies(ex -> assertThat(ex.getSuppressed()).isEmpty());
    }

    @Test
    void aLossThatIsOnlyToldDoesNotEndTheCall() {
        assertThat(bean.proxy().tolerant("a", () -> {
                    locker.lose("a");
                    return "returned";
                }))
                .isEqualTo("returned");
    }

    @Test
    void aNestedCallToleratesTheLossAsItsOuterCallDoes() {
        assertThat(bean.proxy()
                        .tolerant(
                                "a",
                                () -> bean.proxy().nested("a", () -> {
                                    locker.lose("a");
                                    return bean.proxy().nested("a", () -> "returned");
                                })))
                .isEqualTo("returned");
        assertThat(locker.requestedKeys()).containsExactly("a");
    }

    @Test
    void aLockThatWasReleasedBeforeTheEndOfTheBodyEndsTheCallWithAnError() {
        assertThatIllegalStateException()
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    LockContext.current().orElseThrow().release();
                    return "returned";
                }))
                .withMessageContainingAll("'a'", "'default'", "released before the work under it had ended");
    }

    @Test
    void aParameterThatTheCallerLeavesNullReceivesTheHandle() {
        LockHandle handle = bean.proxy().withHandle("a", null);
        assertThat(handle).isSameAs(locker.granted.get(0));
    }

    @Test
    void aHandleThatTheCallerPassesIsKept() {
        LockHandle own = locker.grant("mine");
        assertThat(bean.proxy().withHandle("a", own)).isSameAs(own);
        assertThat(bean.proxy().listWithHandle(List.of("a", "b"), own)).isSameAs(own);
    }

    @Test
    void oneHandleCannotStandForAList() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> bean.proxy().listWithHandle(List.of("a"), null))
                .withMessageContaining("cannot be filled with one handle");
        assertThat(locker.granted).isEmpty();
    }

    @Test
    void theFencingTokenIsInTheLoggingContextWhileTheBodyRuns() throws Exception {
        MDC.put("lock.fencingToken", "outer");
        try {
            String logged = bean.proxy().keyed("a", () -> MDC.get("lock.fencingToken"));
            assertThat(logged).isEqualTo(Long.toString(locker.granted.get(0).fencingToken()));
            assertThat(MDC.get("lock.fencingToken")).isEqualTo("outer");
        } finally {
            MDC.remove("lock.fencingToken");
        }
    }

    @Test
    void theLockIsTheCurrentOneOfItsContext() throws Exception {
        Optional<LockHandle> current = bean.proxy().keyed("a", LockContext::current);
        assertThat(current).containsSame(locker.granted.get(0));
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void aNestedCallForTheSameKeyJoins() throws Exception {
        bean.proxy().keyed("a", () -> bean.proxy().keyed("a", () -> ""));
        assertThat(locker.requests).hasSize(1);
        assertThat(locker.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void aNestedCallForTheSameKeyLeavesTheLockToTheOuterOne() throws Exception {
        boolean held = bean.proxy().keyed("a", () -> {
            bean.proxy().keyed("a", () -> "");
            return locker.isHeld("a");
        });
        assertThat(held).isTrue();
    }

    @Test
    void aNestedCallForAnotherKeyTakesItsOwnLock() throws Exception {
        bean.proxy().keyed("a", () -> bean.proxy().keyed("b", () -> ""));
        assertThat(locker.requestedKeys()).containsExactly("a", "b");
    }

    @Test
    void aNestedCallJoinsTheLockOfExecuteLocked() throws Exception {
        locker.executeLocked("a", () -> bean.proxy().keyed("a", () -> ""));
        assertThat(locker.requests).hasSize(1);
    }

    @Test
    void aNestedCallDoesNotJoinALostLock() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().keyed("a", () -> {
                    locker.lose("a");
                    return bean.proxy().keyed("a", this::mustNotRun);
                }));
    }

    @Test
    void anotherThreadDoesNotJoin() throws Exception {
        Throwable[] failure = new Throwable[1];
        bean.proxy().keyed("a", () -> {
            Thread other = new Thread(() -> {
                try {
                    bean.proxy().keyed("a", this::mustNotRun);
                } catch (Exception ex) {
                    failure[0] = ex;
                }
            });
            other.start();
            other.join();
            return "";
        });
        assertThat(failure[0]).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void severalKeysAreTakenTogetherSortedAndOnce() throws Exception {
        List<Boolean> held = bean.proxy()
                .all(
                        List.of("c", "a", "b", "a"),
                        () -> List.of(locker.isHeld("a"), locker.isHeld("b"), locker.isHeld("c")));
        assertThat(held).containsExactly(true, true, true);
        assertThat(locker.requestedKeys()).containsExactly("a", "b", "c");
        assertThat(locker.heldCount()).isZero();
    }

    @Test
    void ofSeveralKeysNoneIsKeptIfOneIsHeldElsewhere() {
        locker.holdElsewhere("b");
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> bean.proxy().all(List.of("a", "b", "c"), this::mustNotRun))
                .satisfies(ex -> assertThat(ex.key()).isEqualTo("b"));
        assertThat(locker.requestedKeys()).containsExactly("a", "b");
        assertThat(locker.isHeld("a")).isFalse();
    }

    @Test
    void severalKeysShareOneWaitTime() throws Exception {
        locker.beforeAnswer = () -> bean.advance(Duration.ofSeconds(5));
        bean.proxy().all(List.of("a", "b", "c"), () -> "");
        assertThat(locker.requestedWaits())
                .containsExactly(RecordingLocker.WAIT_TIME, Duration.ofSeconds(2), Duration.ZERO);
    }

    @Test
    void severalKeysWithAnExistingLockTakeOnlyTheOthers() throws Exception {
        bean.proxy().keyed("b", () -> bean.proxy().all(List.of("a", "b"), () -> ""));
        assertThat(locker.requestedKeys()).containsExactly("b", "a");
    }

    @Test
    void theKeyIsEvaluatedOnceBeforeTheBody() throws Exception {
        Name name = new Name("a");
        bean.proxy().named(name, () -> {
            name.value = "changed";
            return "";
        });
        assertThat(locker.requestedKeys()).containsExactly("a");
        assertThat(locker.heldCount()).isZero();
        assertThat(name.reads).isEqualTo(1);
    }

    @Test
    void theAnnotationNamesItsLocker() {
        bean.proxy().inBilling("a");
        assertThat(locker.requests).isEmpty();
        assertThat(bean.locker("billing").requestedKeys()).containsExactly("a");
    }

    @Test
    void theSameKeyOfAnotherLockerIsAnotherLock() throws Exception {
        bean.proxy().keyed("a", () -> {
            bean.proxy().inBilling("a");
            return "";
        });
        assertThat(bean.locker("billing").requestedKeys()).containsExactly("a");
    }

    private <T> T mustNotRun() {
        throw new AssertionError("the body ran");
    }

    interface Body<T> {
        T run() throws Exception;
    }

    static class Name {

        private String value;

        private int reads;

        Name(String value) {
            this.value = value;
        }

        public String getValue() {
            reads++;
            return value;
        }
    }

    static class Work {

        @DistributedLock("#key")
        public <T> T keyed(String key, Body<T> body) throws Exception {
            return body.run();
        }

        @DistributedLock(
                key = "#key",
                waitTime = "250ms",
                ttl = "PT10S",
                autoRenew = "true",
                maxHoldTime = "1m",
                minHoldTime = "2s")
        public void onTerms(String key) {}

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public @Nullable Object skippedObject(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public void skippedVoid(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public Optional<String> skippedOptional(String key) {
            throw new AssertionError("the body ran");
        }

        @DistributedLock(key = "#key", onFailure = OnFailure.SKIP)
        public void skippedFailing(String key, RuntimeException failure) {
            throw failure;
        }

        @DistributedLock("#key")
        public void failing(String key, Exception failure) throws Exception {
            throw failure;
        }

        @DistributedLock("#key")
        public String nested(String key, Supplier<String> body) {
            return body.get();
        }

        @DistributedLock(key = "#key", onLost = OnLost.EVENT)
        public String tolerant(String key, Supplier<String> body) {
            return body.get();
        }

        @DistributedLock("#key")
        public LockHandle withHandle(String key, LockHandle handle) {
            return handle;
        }

        @DistributedLock("#keys")
        public LockHandle listWithHandle(List<String> keys, LockHandle handle) {
            return handle;
        }

        @DistributedLock("#keys")
        public <T> T all(List<String> keys, Body<T> body) throws Exception {
            return body.run();
        }

        @DistributedLock("#name.value")
        public void named(Name name, Body<String> body) throws Exception {
            body.run();
        }

        @DistributedLock(key = "#key", locker = "billing")
        public void inBilling(String key) {}
    }
}
