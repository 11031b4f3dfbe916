package io.leasehold.aop;

import io.leasehold.aop.invocation.LockedInvocation;
import io.leasehold.aop.spec.ResultKind;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies {@link DistributedLockAspect} to classes that AspectJ wove at load time. This also covers calls within an
 * object, private and final methods, and objects that are not beans.
 *
 * <p>Use it instead of {@link DistributedLockAdvisor}, not together with it: start the JVM with AspectJ's agent
 * ({@code -javaagent:aspectjweaver.jar}), set {@code lock.aspect.mode} to {@code aspectj}, and write a
 * {@code META-INF/aop.xml} such as
 *
 * <pre class="code">
 * &lt;aspectj&gt;
 *     &lt;weaver&gt;&lt;include within="com.example..*"/&gt;&lt;include
 *     within="io.leasehold.aop.Woven*"/&gt;&lt;/weaver&gt; &lt;aspects&gt;&lt;aspect
 *     name="io.leasehold.aop.WovenDistributedLockAspect"/&gt;&lt;/aspects&gt; &lt;/aspectj&gt;
 * </pre>
 *
 * <p>A woven method that is called before the application has set its aspect on the one instance that AspectJ created
 * fails; it does not run without its lock. It runs without one if all open contexts have set
 * {@code lock.aspect.enabled} to {@code false}. A suspending function of Kotlin fails as well, since a call of it may be
 * a resumption.
 *
 * <p>There is one instance for each class loader, and a woven call does not name its application context. If several
 * contexts are open, all calls use the lockers of the one that was opened last. A warning names this.
 *
 * <p>The weaver finds annotations on the method, on its class, and on a composed annotation of one of the two. It does
 * not find annotations of an interface.
 */
@Aspect
public class WovenDistributedLockAspect {

    private static final Logger log = LoggerFactory.getLogger(WovenDistributedLockAspect.class);

    private final List<DistributedLockAspect> aspects = new ArrayList<>();

    private final AtomicInteger unlocked = new AtomicInteger();

    private volatile @Nullable DistributedLockAspect latest;

    /**
     * Adds the aspect of an application context that was opened. Calls are delegated to the aspect that was added last.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void addAspect(DistributedLockAspect aspect) {
        if (!aspects.isEmpty()) {
            log.warn(
                    "{} application contexts have locked methods that AspectJ wove. All of these methods use the lockers of"
                            + " the context that was opened last, also those of beans of the others. Close the other contexts, or"
                            + " set 'lock.aspect.mode' to 'proxy'.",
                    aspects.size() + 1);
        }
        aspects.add(aspect);
        latest = aspect;
    }

    /**
     * Removes the aspect of an application context that is closed.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void removeAspect(DistributedLockAspect aspect) {
        aspects.remove(aspect);
        latest = aspects.isEmpty() ? null : aspects.get(aspects.size() - 1);
    }

    /**
     * Lets methods run without their locks while no application context has added an aspect. Meant for an application
     * context that switches the locks of annotated methods off.
     */
    public void allowUnlocked() {
        unlocked.incrementAndGet();
    }

    /** Ends one {@link #allowUnlocked()}, when its application context is closed. */
    public void disallowUnlocked() {
        unlocked.decrementAndGet();
    }

    /**
     * Runs a woven method under its lock.
     *
     * @param call the call of the method
     * @return the result of the method
     * @throws Throwable an exception of the method, or a failure of its lock
     */
    @Around("execution(!static * *(..)) && ("
            + "execution(@io.leasehold.annotation.DistributedLock * *(..))"
            + " || execution(@(@io.leasehold.annotation.DistributedLock *) * *(..))"
            + " || (execution(public * *(..)) && within(@io.leasehold.annotation.DistributedLock *))"
            + " || (execution(public * *(..)) && within(@(@io.leasehold.annotation.DistributedLock *) *)))")
    public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
        DistributedLockAspect work = latest;
        if (work == null) {
            if (unlocked.get() > 0) {
                return call.proceed();
            }
            throw new IllegalStateException("@DistributedLock was woven into " + call.getSignature()
                    + ", but there is no application context whose lockers could lock it: none is open with"
                    + " 'lock.aspect.mode' set to 'aspectj', or the method was called before the post-processors of that"
                    + " context were there. Set the property and call the method later, or take"
                    + " WovenDistributedLockAspect out of META-INF/aop.xml");
        }
        WovenInvocation invocation = new WovenInvocation(call, call.getArgs());
        ResultKind.requireWeavable(invocation.getMethod());
        return work.invoke(invocation);
    }

    /** Adapts a woven call to an intercepted one. */
    private static final class WovenInvocation implements LockedInvocation.Repeatable {

        private final ProceedingJoinPoint call;

        private final @Nullable Object[] arguments;

        WovenInvocation(ProceedingJoinPoint call, @Nullable Object[] arguments) {
            this.call = call;
            this.arguments = arguments;
        }

        @Override
        public MethodInvocation copy() {
            return new WovenInvocation(call, arguments.clone());
        }

        @Override
        public Method getMethod() {
            return ((MethodSignature) call.getSignature()).getMethod();
        }

        @Override
        public @Nullable Object[] getArguments() {
            return arguments;
        }

        @Override
        public @Nullable Object proceed() throws Throwable {
            return call.proceed(arguments);
        }

        @Override
        public @Nullable Object getThis() {
            return call.getThis();
        }

        @Override
        public AccessibleObject getStaticPart() {
            return getMethod();
        }
    }
}
