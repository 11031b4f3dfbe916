package io.leasehold.aop.spec;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A {@code @DistributedLock} cannot work, or the method would run without its lock. Thrown before the method is called;
 * the application does not start.
 */
public final class LockDeclarationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** The kinds of errors in a declaration. */
    public enum Kind {

        /** The key is missing, cannot be parsed, or reads something that no call provides. */
        KEY,

        /** The locker is not configured. */
        LOCKER,

        /** A duration or a switch cannot be parsed, or contradicts another one. */
        TERMS,

        /** The fallback method is missing, or cannot be called instead of the method. */
        FALLBACK,

        /** The result of the method outlives the lock, or cannot be skipped. */
        RESULT,

        /** Several annotations in one place apply to the method. */
        AMBIGUOUS,

        /** An attribute of a composed annotation has no effect. */
        ALIAS,

        /** Calls of the method are not intercepted, so that it would run without its lock. */
        INTERCEPTION,

        /** The key of a cache operation on the method contains the handle of the lock. */
        CACHE_KEY
    }

    private final Kind kind;

    private final transient Method method;

    private final String attribute;

    private final String value;

    private final String problem;

    private final String nextStep;

    private @Nullable String bean;

    private LockDeclarationException(
            Kind kind,
            Method method,
            String attribute,
            String value,
            String problem,
            String nextStep,
            @Nullable Throwable cause) {
        super(problem, cause);
        this.kind = kind;
        this.method = method;
        this.attribute = attribute;
        this.value = value;
        this.problem = problem;
        this.nextStep = nextStep;
    }

    static LockDeclarationException invalidKey(
            Method method, String key, String problem, String nextStep, @Nullable Throwable cause) {
        return new LockDeclarationException(Kind.KEY, method, "key", key, problem, nextStep, cause);
    }

    /** The durations and switches cannot be used together, or not with the settings of the locker. */
    public static LockDeclarationException invalidTerms(
            Method method, String attribute, String value, String problem, String nextStep, @Nullable Throwable cause) {
        return new LockDeclarationException(Kind.TERMS, method, attribute, value, problem, nextStep, cause);
    }

    /** The fallback method is missing, or cannot be called instead of the method. */
    public static LockDeclarationException invalidFallback(
            Method method, String fallback, String problem, String nextStep) {
        return new LockDeclarationException(Kind.FALLBACK, method, "fallbackMethod", fallback, problem, nextStep, null);
    }

    static LockDeclarationException unsupportedResult(
            Method method, String attribute, String value, String problem, String nextStep) {
        return new LockDeclarationException(Kind.RESULT, method, attribute, value, problem, nextStep, null);
    }

    static LockDeclarationException withoutAlias(
            Method method, String attribute, String value, String problem, String nextStep) {
        return new LockDeclarationException(Kind.ALIAS, method, attribute, value, problem, nextStep, null);
    }

    static LockDeclarationException ambiguous(Method method, String problem, String nextStep) {
        return new LockDeclarationException(Kind.AMBIGUOUS, method, "", "", problem, nextStep, null);
    }

    /** The annotation names a locker that does not exist. */
    public static LockDeclarationException unknownLocker(
            Method method, String locker, String problem, String nextStep) {
        return new LockDeclarationException(Kind.LOCKER, method, "locker", locker, problem, nextStep, null);
    }

    /** Calls of the method bypass the lock. */
    public static LockDeclarationException notInterceptable(Method method, String problem, String nextStep) {
        return new LockDeclarationException(Kind.INTERCEPTION, method, "", "", problem, nextStep, null);
    }

    /** The key of a cache operation on the method contains the handle, so that no other call has the same key. */
    public static LockDeclarationException invalidCacheKey(Method method, String problem, String nextStep) {
        return new LockDeclarationException(Kind.CACHE_KEY, method, "", "", problem, nextStep, null);
    }

    /** Names the bean. */
    public LockDeclarationException inBean(String name) {
        this.bean = name;
        return this;
    }

    /** The kind of the error. */
    public Kind kind() {
        return kind;
    }

    /** The name of the bean that has the method; {@code null} if it was examined outside of a bean factory. */
    public @Nullable String bean() {
        return bean;
    }

    /** The method that was to run under a lock, of the bean's class. */
    public Method method() {
        return method;
    }

    /** The name of the invalid attribute; empty if the whole annotation is invalid. */
    public String attribute() {
        return attribute;
    }

    /** The attribute's value, as it was written; empty if the whole annotation is invalid. */
    public String value() {
        return value;
    }

    /** The error, a sentence without its full stop. */
    public String problem() {
        return problem;
    }

    /** The next step, a sentence without its full stop. */
    public String nextStep() {
        return nextStep;
    }

    @Override
    public String getMessage() {
        Class<?> annotation = LockAnnotations.declared(method);
        boolean isOwn = !attribute.isEmpty() && LockAnnotations.hasAttribute(annotation, attribute);
        return "@" + annotation.getSimpleName() + (isOwn ? "(" + attribute + " = \"" + value + "\")" : "") + " on "
                + MethodDescriptions.describe(method) + (bean == null ? "" : " (bean '" + bean + "')") + ": " + problem
                + ". "
                + nextStep + ".";
    }
}
