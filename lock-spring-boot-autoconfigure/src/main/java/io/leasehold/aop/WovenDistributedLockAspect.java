package io.leasehold.aop;

import io.leasehold.aop.invocation.LockedInvocation;
import io.leasehold.aop.spec.ResultKind;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
 * fails; it does not run without its lock. It runs without one if a context is open that has set
 * {@code lock.aspect.enabled} to {@code false}, and none that has this aspect. A suspending function of Kotlin fails as
 * well, since a call of it may be a resumption.
 *
 * <p>There is one instance for each class loader, and a woven call does not name its application context. If several
 * contexts are open, all calls use the lockers of the one that was started last. A warning names this. A context that is
 * starting or stopped comes after the others.
 *
 * <p>The weaver finds annotations on the method, on its class, and on a composed annotation of one of the two. It does
 * not find annotations of an interface.
 */
@Aspect
public class WovenDistributedLockAspect {

    private static final Logger log = LoggerFactory.getLogger(WovenDistributedLockAspect.class);

    private final List<DistributedLockAspect> started = new ArrayList<>();

    private final List<DistributedLockAspect> standby = new ArrayList<>();

    /** The open contexts, and whether they lock their methods. */
    private final Map<Object, Boolean> contexts = new ConcurrentHashMap<>();

    private volatile @Nullable DistributedLockAspect latest;

    /**
     * Adds the aspect of an application context that was started. Calls are delegated to the aspect that was added last.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void addAspect(DistributedLockAspect aspect) {
        standby.remove(aspect);
        started.remove(aspect);
        if (!started.isEmpty()) {
            log.warn(
                    "{} application contexts have locked methods that AspectJ wove. All of these methods use the lockers of"
                            + " the context that was started last, also those of beans of the others. Close the other contexts, or"
                            + " set 'lock.aspect.mode' to 'proxy'.",
                    started.size() + 1);
        }
        started.add(aspect);
        latest = latest();
    }

    /**
     * Adds the aspect of an application context that is starting. Calls are delegated to it only while there is none of a
     * context that was started.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void addStandby(DistributedLockAspect aspect) {
        standby.add(aspect);
        latest = latest();
    }

    /**
     * Adds the aspect of an application context that has stopped. Calls are delegated to it only while there is no other,
     * because its locks have ended.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void addStopped(DistributedLockAspect aspect) {
        started.remove(aspect);
        standby.remove(aspect);
        standby.add(0, aspect);
        latest = latest();
    }

    /**
     * Removes the aspect of an application context that is closed.
     *
     * @param aspect the aspect of the application context
     */
    public synchronized void removeAspect(DistributedLockAspect aspect) {
        started.remove(aspect);
        standby.remove(aspect);
        latest = latest();
    }

    private @Nullable DistributedLockAspect latest() {
        List<DistributedLockAspect> first = started.isEmpty() ? standby : started;
        return first.isEmpty() ? null : first.get(first.size() - 1);
    }

    /**
     * Adds an application context, before it has an aspect. Methods run without their locks while there is no aspect and
     * all contexts have switched the locks off, since a call does not show whose method it is.
     *
     * @param context stands for the application context
     * @param locks whether it locks its methods, so that calls fail while it has no aspect
     */
    public void addContext(Object context, boolean locks) {
        contexts.put(context, locks);
    }

    /**
     * Removes an application context that is closed.
     *
     * @param context stands for the application context
     */
    public void removeContext(Object context) {
        contexts.remove(context);
    }

    private boolean runsUnlocked() {
        return contexts.containsValue(false) && !contexts.containsValue(true);
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
            if (runsUnlocked()) {
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
