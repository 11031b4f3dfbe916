package io.leasehold.aop.spec;

import io.leasehold.LockRequest;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.OnLost;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@code @DistributedLock} that was read, resolved and checked for one method of one class.
 *
 * @param method the method of the target class that runs under the lock
 * @param locker the locker's name, placeholders resolved
 * @param key what gives the key for a call
 * @param terms the terms that the annotation sets, as a request for the text of the key; what is {@code null} is left
 *     to the locker
 * @param onFailure what to do when the lock is not acquired
 * @param onLost what to do when it is lost
 * @param fallback what to call when the lock is not acquired
 * @param handles the positions of the parameters that may be given the handle
 * @param result what the method returns, as far as the lock is concerned
 * @param valueType the type of the value that the method returns, suspends for, or completes its stage with
 */
public record LockSpec(
        Method method,
        String locker,
        LockKeyExpression key,
        LockRequest terms,
        OnFailure onFailure,
        OnLost onLost,
        @Nullable Fallback fallback,
        List<Integer> handles,
        ResultKind result,
        Class<?> valueType) {

    /** The positions of the parameters that may be given the handle, and for which the caller passed {@code null}. */
    public List<Integer> openHandles(@Nullable Object[] arguments) {
        return handles.isEmpty()
                ? handles
                : handles.stream().filter(index -> arguments[index] == null).toList();
    }
}
