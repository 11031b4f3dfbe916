package io.leasehold.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The root of what is wrong with a {@code @DistributedLock} that can be told before the method is called. The
 * application does not start with it.
 */
public abstract class LockDeclarationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final transient Method method;

    private final String attribute;

    private final String value;

    private final String problem;

    private final String nextStep;

    private @Nullable String bean;

    LockDeclarationException(
            Method method, String attribute, String value, String problem, String nextStep, @Nullable Throwable cause) {
        super(problem, cause);
        this.method = method;
        this.attribute = attribute;
        this.value = value;
        this.problem = problem;
        this.nextStep = nextStep;
    }

    LockDeclarationException inBean(String name) {
        this.bean = name;
        return this;
    }

    /**
     * The bean whose method it is.
     *
     * @return the bean's name, or {@code null} if the method was looked at outside of a bean factory
     */
    public @Nullable String bean() {
        return bean;
    }

    /**
     * The method that was to run under a lock.
     *
     * @return the method of the bean's class
     */
    public Method method() {
        return method;
    }

    /**
     * The attribute of the annotation that is wrong.
     *
     * @return the attribute's name, empty if it is the annotation as such
     */
    public String attribute() {
        return attribute;
    }

    /**
     * The attribute's value, as it was written.
     *
     * @return the value, empty if it is the annotation as such
     */
    public String value() {
        return value;
    }

    /**
     * What is wrong.
     *
     * @return a sentence without its full stop
     */
    public String problem() {
        return problem;
    }

    /**
     * What to do about it.
     *
     * @return a sentence without its full stop
     */
    public String nextStep() {
        return nextStep;
    }

    @Override
    public String getMessage() {
        return "@DistributedLock" + (attribute.isEmpty() ? "" : "(" + attribute + " = \"" + value + "\")") + " on "
                + Methods.describe(method) + (bean == null ? "" : " (bean '" + bean + "')") + ": " + problem + ". "
                + nextStep + ".";
    }
}
