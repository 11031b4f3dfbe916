package io.leasehold.aop.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.spec.LockSpec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.EmptyCoroutineContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The locks of a coroutine on the threads that continue it. */
class CoroutineLocksTests {

    /** The thread serves other coroutines, which would join the locks. */
    @Test
    void aThreadThatDoesNotContinueTheCoroutineIsUnderNoLock() {
        LockHandle handle = mock(LockHandle.class);
        Error error = new NoClassDefFoundError("of the log");
        when(handle.fencingToken()).thenThrow(error);
        CoroutineLocks locks = locksOf(handle);

        assertThatThrownBy(() -> locks.updateThreadContext(locks)).isSameAs(error);
        assertThat(LockContext.all()).isEmpty();
    }

    @Test
    void aThreadIsUnderTheLocksWhileItContinuesTheCoroutine() {
        LockHandle handle = mock(LockHandle.class);
        CoroutineLocks locks = locksOf(handle);

        Runnable leave = locks.updateThreadContext(locks);
        assertThat(LockContext.allOwn()).containsExactly(handle);
        locks.restoreThreadContext(locks, leave);
        assertThat(LockContext.all()).isEmpty();
    }

    @AfterEach
    void leaveTheLocks() {
        LockContext.restore(null);
    }

    private static CoroutineLocks locksOf(LockHandle handle) {
        Continuation<?> caller = mock(Continuation.class);
        when(caller.getContext()).thenReturn(EmptyCoroutineContext.INSTANCE);
        Object[] arguments = {caller};
        List<LockHandle> own = List.of(handle);
        CoroutineLocks.addTo(
                arguments,
                mock(LockSpec.class),
                new AcquiredLocks(own, own, List.of()),
                List.of(),
                new CompletableFuture<>());
        return (CoroutineLocks) ((Continuation<?>) arguments[0]).getContext();
    }
}
