package io.leasehold.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.test.TestLocks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Lockers of the application that decorate the handles of another one. */
class DelegatingLockerTests {

    private static final LockRequest REQUEST = LockRequest.of("busy");

    private final TestLocks locks = TestLocks.create();

    private final CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();

    private final Locker answering = new DelegatingLocker(locks.locker("default")) {
        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return answer;
        }
    };

    @Test
    void aCallerReceivesTheDecoratedHandle() {
        CompletableFuture<Optional<LockHandle>> attempt = attempt(Decorated::new);
        answer.complete(locks.locker("default").tryLock(REQUEST));
        assertThat(attempt.join()).get().isInstanceOf(Decorated.class);
        assertThat(locks.held("busy").isHeld()).isTrue();
    }

    @Test
    void aCallerThatGivesUpCancelsTheAttemptOfTheDelegate() {
        attempt(Decorated::new).cancel(true);
        assertThat(answer).isCancelled();
    }

    @Test
    void aLockThatIsGrantedWhileItsCallerGivesUpIsReleased() {
        AtomicReference<CompletableFuture<?>> caller = new AtomicReference<>();
        caller.set(attempt(handle -> {
            caller.get().cancel(true);
            return new Decorated(handle);
        }));
        answer.complete(locks.locker("default").tryLock(REQUEST));
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aLockWhoseHandleCannotBeDecoratedIsReleased() {
        IllegalStateException failure = new IllegalStateException("of the decoration");
        CompletableFuture<Optional<LockHandle>> attempt = attempt(handle -> {
            throw failure;
        });
        answer.complete(locks.locker("default").tryLock(REQUEST));
        assertThat(attempt.handle((granted, ex) -> ex instanceof CompletionException ? ex.getCause() : ex))
                .isCompletedWithValue(failure);
        assertThat(locks.held()).isEmpty();
    }

    private CompletableFuture<Optional<LockHandle>> attempt(UnaryOperator<LockHandle> decoration) {
        return new Decorating(answering, decoration).tryLockAsync(REQUEST).toCompletableFuture();
    }

    private static final class Decorating extends DelegatingLocker {

        private final UnaryOperator<LockHandle> decoration;

        Decorating(Locker delegate, UnaryOperator<LockHandle> decoration) {
            super(delegate);
            this.decoration = decoration;
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return decorated(super.tryLockAsync(request), decoration);
        }
    }

    private record Decorated(LockHandle delegate) implements DelegatingLockHandle {

        @Override
        public boolean release() {
            return delegate.release();
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return delegate.releaseAsync();
        }
    }
}
