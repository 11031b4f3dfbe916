package io.leasehold.aop;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Tells what a lock has to do with a method's result, and refuses results that outlive the lock. */
final class ResultKinds {

    private static final boolean COROUTINES =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ResultKinds.class.getClassLoader());

    private ResultKinds() {}

    static ResultKind of(Method method, Class<?> targetClass) {
        if (isAsync(method) || isAsync(targetClass)) {
            throw unsupported(
                    method,
                    "it is @Async too, so the caller would hold the lock while another thread does the work",
                    "Move one of the two to another bean; an @Async method may call a locked one");
        }
        if (Methods.isSuspending(method)) {
            return ofSuspending(method);
        }
        Class<?> type = method.getReturnType();
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return ResultKind.STAGE;
        }
        if (type.getName().equals("reactor.core.publisher.Mono")) {
            return ResultKind.MONO;
        }
        if (type.getName().equals("reactor.core.publisher.Flux")) {
            return ResultKind.FLUX;
        }
        if (LaterTypes.contains(type)) {
            throw unsupported(
                    method,
                    "it returns a " + type.getName() + ", whose work may go on after the method has returned, when the"
                            + " lock would be released",
                    "Return the value itself, a CompletionStage, a Mono or a Flux");
        }
        return type.isPrimitive() && type != void.class ? ResultKind.PRIMITIVE : ResultKind.VALUE;
    }

    private static ResultKind ofSuspending(Method method) {
        if (!COROUTINES) {
            throw unsupported(
                    method,
                    "it suspends, and kotlinx-coroutines-reactor is not there to tell when it is done",
                    "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the application");
        }
        return ResultKind.MONO;
    }

    private static boolean isAsync(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.scheduling.annotation.Async");
    }

    private static UnsupportedLockResultException unsupported(Method method, String problem, String nextStep) {
        return new UnsupportedLockResultException(method, "", "", problem, nextStep);
    }
}
