package io.leasehold.aop.spec;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Nullness;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** The kind of result of a locked method, which determines how the lock is held. */
public enum ResultKind {

    /** A value that is complete when the method returns, or no value. */
    VALUE,

    /** A primitive, which cannot represent a skipped call. */
    PRIMITIVE,

    /** A {@code CompletionStage} or {@code CompletableFuture}: the work ends when it completes. */
    STAGE,

    /** A Reactor {@code Mono}, or what a Kotlin function suspends for: the work is between subscription and end. */
    MONO,

    /** A Reactor {@code Flux}: the work is between subscription and end. */
    FLUX;

    private static final Set<String> NOTHING = Set.of("void", "java.lang.Void", "kotlin.Unit");

    /** The libraries with which Spring calls a suspending function, by a class of each. */
    private static final Map<String, String> OF_COROUTINES = Map.of(
            "kotlinx.coroutines.reactor.MonoKt", "org.jetbrains.kotlinx:kotlinx-coroutines-reactor",
            "kotlin.reflect.full.KClassifiers", "org.jetbrains.kotlin:kotlin-reflect");

    public static ResultKind of(Method method, Class<?> targetClass) {
        if (MethodDescriptions.isSuspending(method)) {
            return ofSuspending(method, targetClass);
        }
        ResolvableType declared = MethodDescriptions.result(method, targetClass);
        Class<?> type = declared.resolve(method.getReturnType());
        ResultKind asynchronous = asynchronous(type);
        Class<?> later =
                asynchronous == null ? UnsupportedResultTypes.in(declared) : UnsupportedResultTypes.within(declared);
        if (later != null) {
            throw unsupported(
                    method,
                    "it returns a " + later.getName()
                            + (later == type && asynchronous == null
                                    ? ""
                                    : " in a " + ClassUtils.getQualifiedName(type))
                            + ", whose work may go on after the method has returned, when the"
                            + " lock would be released",
                    "Return the value itself, a CompletionStage, a Mono or a Flux");
        }
        if (asynchronous != null) {
            return asynchronous;
        }
        return type.isPrimitive() && type != void.class ? ResultKind.PRIMITIVE : ResultKind.VALUE;
    }

    private static @Nullable ResultKind asynchronous(Class<?> type) {
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return ResultKind.STAGE;
        }
        return switch (type.getName()) {
            case "reactor.core.publisher.Mono" -> ResultKind.MONO;
            case "reactor.core.publisher.Flux" -> ResultKind.FLUX;
            default -> null;
        };
    }

    /** Rejects a result that outlives the call but whose declared type does not show its kind. */
    public static void requireDone(Method method, @Nullable Object result) {
        requireNone(method, UnsupportedResultTypes.unfinished(result));
    }

    /** The same for the value of a {@code Mono} or a stage, such as a response whose body is a publisher. */
    public static void requireValueDone(Method method, @Nullable Object value) {
        requireNone(method, UnsupportedResultTypes.unfinishedWithin(value));
    }

    private static void requireNone(Method method, @Nullable Object later) {
        if (later != null) {
            throw unsupported(
                    method,
                    "it has returned a " + later.getClass().getName() + ", whose work goes on after the method has"
                            + " returned and the lock is released, and which is not to be seen in its declared type",
                    "Declare the method with the type that it returns: a CompletionStage, a Mono or a Flux. Return"
                            + " elements that were read completely, such as a List");
        }
    }

    /** Rejects a suspending function: its result is no publisher where AspectJ, and not a proxy, intercepts the call. */
    public static void requireWeavable(Method method) {
        if (MethodDescriptions.isSuspending(method)) {
            throw LockDeclarationException.notInterceptable(
                    method,
                    "it is a suspending function, which Kotlin calls again at each resumption, and a woven call does not"
                            + " show whether it is the first",
                    "Write a function that returns a Mono (mono { ... }), or let proxies do the work"
                            + " (lock.aspect.mode=proxy)");
        }
    }

    /** The library without which a suspending function cannot be called, {@code null} if all are there. */
    static @Nullable String missingForCoroutines(ClassLoader classes) {
        return OF_COROUTINES.entrySet().stream()
                .filter(each -> !ClassUtils.isPresent(each.getKey(), classes))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static ResultKind ofSuspending(Method method, Class<?> targetClass) {
        String missing = missingForCoroutines(ResultKind.class.getClassLoader());
        if (missing != null) {
            throw unsupported(
                    method,
                    "it suspends, and Spring cannot call suspending functions without " + missing,
                    "Add " + missing + " to the application");
        }
        Class<?> later = UnsupportedResultTypes.in(MethodDescriptions.result(method, targetClass));
        if (later != null) {
            throw unsupported(
                    method,
                    "it suspends and returns a " + later.getName()
                            + ", whose work may go on after the function has returned, when the lock would be released",
                    "Return the value itself, or let a function that does not suspend return a Flux");
        }
        return ResultKind.MONO;
    }

    /** Whether the work may go on, or begin, after the call has returned. */
    public boolean isAsynchronous() {
        return this != VALUE && this != PRIMITIVE;
    }

    /** The type of the value that the method returns, suspends for, or completes its stage with. */
    Class<?> valueType(Method method, Class<?> targetClass) {
        ResolvableType declared = MethodDescriptions.result(method, targetClass);
        return (this == STAGE ? declared.getGeneric() : declared).resolve(Object.class);
    }

    /** Whether a method of this kind, in Kotlin or with JSpecify's annotations, promises not to return null. */
    boolean isNeverNull(Method method, Class<?> type) {
        boolean nullIsNoAnswer = this == VALUE || this == MONO && MethodDescriptions.isSuspending(method);
        return nullIsNoAnswer
                && !NOTHING.contains(type.getName())
                && !type.getName().startsWith("java.util.Optional")
                && Nullness.forMethodReturnType(method) == Nullness.NON_NULL;
    }

    private static LockDeclarationException unsupported(Method method, String problem, String nextStep) {
        return LockDeclarationException.unsupportedResult(method, "", "", problem, nextStep);
    }
}
