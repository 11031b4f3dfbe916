package io.leasehold.aop;

import io.leasehold.LockException;
import io.leasehold.LockNotAcquiredException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The method to call when the lock was not acquired.
 *
 * @param method the method, made accessible
 * @param handles the exceptions it is called for
 * @param takesException whether it takes the exception as its last parameter
 */
record Fallback(Method method, Class<? extends LockException> handles, boolean takesException) {

    static Fallback of(Method method) {
        method.setAccessible(true);
        return new Fallback(method, LockNotAcquiredException.class, false);
    }

    static Fallback of(Method method, Class<? extends LockException> handles) {
        method.setAccessible(true);
        return new Fallback(method, handles, true);
    }

    @Nullable
    Object call(@Nullable Object target, @Nullable Object[] arguments, LockException failure) throws Throwable {
        @Nullable Object[] passed = arguments;
        if (takesException) {
            passed = Arrays.copyOf(arguments, arguments.length + 1);
            passed[arguments.length] = failure;
        }
        try {
            return method.invoke(target, passed);
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }
}
