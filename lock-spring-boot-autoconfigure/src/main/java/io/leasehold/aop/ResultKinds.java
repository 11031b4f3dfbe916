package io.leasehold.aop;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Tells what a lock has to do with a method's result, and refuses results that outlive the lock. */
final class ResultKinds {

    private ResultKinds() {}

    static ResultKind of(Method method, Class<?> targetClass) {
        if (isAsync(method) || isAsync(targetClass)) {
            throw unsupported(
                    method,
                    "it is @Async too, so the caller would hold the lock while another thread does the work",
                    "Move one of the two to another bean; an @Async method may call a locked one");
        }
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw unsupported(
                    method,
                    "it suspends, so its work goes on after the call has returned, when the lock would be released",
                    "Lock a method that does not suspend, or use Locker.tryLockAsync");
        }
        if (LaterTypes.contains(type)) {
            throw unsupported(
                    method,
                    "it returns a " + type.getName() + ", so its work may go on after the method has returned, when the"
                            + " lock would be released",
                    "Return the value itself, or use Locker.tryLockAsync");
        }
        if (type.isPrimitive() && type != void.class) {
            return ResultKind.PRIMITIVE;
        }
        return ResultKind.VALUE;
    }

    private static boolean isAsync(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.scheduling.annotation.Async");
    }

    private static UnsupportedLockResultException unsupported(Method method, String problem, String nextStep) {
        return new UnsupportedLockResultException(method, "", "", problem, nextStep);
    }
}
