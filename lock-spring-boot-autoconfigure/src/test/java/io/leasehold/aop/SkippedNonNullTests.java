package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.aop.spec.LockSpecs;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that is skipped returns null, which a method must not have promised never to return. */
class SkippedNonNullTests {

    @ParameterizedTest
    @ValueSource(strings = {"text", "suspending"})
    void aResultThatIsNeverNullCannotBeSkipped(String method) {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> find(Promises.class, method))
                .satisfies(ex -> assertThat(ex.kind()).isEqualTo(Kind.RESULT))
                .withMessageContaining("SKIP")
                .withMessageContaining("never null");
    }

    @Test
    void theNextStepOfASuspendingFunctionNamesNoFallback() {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> find(Promises.class, "suspending"))
                .withMessageContaining(
                        "use onFailure = THROW and catch LockNotAcquiredException where the function is called")
                .withMessageNotContaining("fallbackMethod");
    }

    @Test
    void anAnnotationOfItsOwnIsNamedWithItsAttributesOnly() {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> find(Promises.class, "single"))
                .withMessageStartingWith("@SingleInstance on ")
                .withMessageEndingWith(" Return an Optional or an object.")
                .withMessageNotContaining("onFailure");
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> find(Promises.class, "singleKey"))
                .withMessageStartingWith("@SingleInstance(key = \"#none\") on ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "maybe", "optional", "stage", "suspendingUnit", "withFallback"})
    void aResultThatCanSayThatTheCallWasSkippedIsAccepted(String method) {
        assertThatCode(() -> find(Promises.class, method)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = "text")
    void aTypeThatPromisesNothingIsAccepted(String method) {
        assertThatCode(() -> find(Unmarked.class, method)).doesNotThrowAnyException();
    }

    @Test
    void aCallThatIsSkippedReturnsTheEmptyOptionalOfTheResolvedType() {
        LockedContext.with(Report.class).run(context -> {
            context.getBean("defaultLocker", RecordingLocker.class).holdElsewhere("a");
            Report report = context.getBean(Report.class);
            assertThat(report.run()).isEmpty();
            assertThat(report.stage()).isCompletedWithValue(Optional.empty());
        });
    }

    private static void find(Class<?> type, String name) {
        for (var method : type.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                assertThat(new LockSpecs(text -> text).find(method, type)).isPresent();
                return;
            }
        }
        throw new AssertionError(name);
    }

    @NullUnmarked
    static class Job<R> {

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        public R run() {
            throw new IllegalStateException("the call was not skipped");
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        public CompletableFuture<R> stage() {
            throw new IllegalStateException("the call was not skipped");
        }
    }

    static class Report extends Job<Optional<String>> {}

    @NullMarked
    static class Promises {

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        String text() {
            return "";
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        Object suspending(Continuation<? super String> continuation) {
            return "";
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        Object suspendingUnit(Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        void nothing() {}

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        @Nullable
        String maybe() {
            return null;
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        Optional<String> optional() {
            return Optional.of("");
        }

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("");
        }

        @SingleInstance(key = "'a'", minHoldTime = "1s")
        int single() {
            return 1;
        }

        @SingleInstance(key = "#none", minHoldTime = "1s")
        void singleKey() {}

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP, fallbackMethod = "instead")
        String withFallback() {
            return "";
        }

        String instead() {
            return "";
        }
    }

    @NullUnmarked
    static class Unmarked {

        @DistributedLock(key = "'a'", onFailure = OnFailure.SKIP)
        String text() {
            return "";
        }
    }
}
