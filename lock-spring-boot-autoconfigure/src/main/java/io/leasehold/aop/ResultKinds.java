package io.leasehold.aop;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
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
        ResolvableType declared = ResolvableType.forMethodReturnType(method, targetClass);
        Class<?> type = declared.resolve(method.getReturnType());
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return ResultKind.STAGE;
        }
        if (type.getName().equals("reactor.core.publisher.Mono")) {
            return ResultKind.MONO;
        }
        if (type.getName().equals("reactor.core.publisher.Flux")) {
            return ResultKind.FLUX;
        }
        Class<?> later = LaterTypes.in(declared);
        if (later != null) {
            throw unsupported(
                    method,
                    "it returns a " + later.getName() + (later == type ? "" : " in a " + type.getName())
                            + ", whose work may go on after the method has returned, when the"
                            + " lock would be released",
                    "Return the value itself, a CompletionStage, a Mono or a Flux");
        }
        return type.isPrimitive() && type != void.class ? ResultKind.PRIMITIVE : ResultKind.VALUE;
    }

    /** Refuses a result that outlives the call, and of whose kind the declared type says nothing. */
    static void requireDone(Method method, @Nullable Object result) {
        Object content = result instanceof Optional<?> optional ? optional.orElse(null) : result;
        if (content != null && LaterTypes.contains(content.getClass()) && !isDone(content)) {
            throw unsupported(
                    method,
                    "it has returned a " + content.getClass().getName() + ", whose work goes on after the method has"
                            + " returned and the lock is released, and which is not to be seen in its declared type",
                    "Declare the method with the type that it returns: a CompletionStage, a Mono or a Flux");
        }
    }

    private static boolean isDone(Object result) {
        return result instanceof Future<?> future && future.isDone();
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
