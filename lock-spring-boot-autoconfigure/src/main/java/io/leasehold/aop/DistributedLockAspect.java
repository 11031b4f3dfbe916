package io.leasehold.aop;

import io.leasehold.LockBackendException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.aop.invocation.LockAcquisition;
import io.leasehold.aop.invocation.LockedInvocation;
import io.leasehold.aop.invocation.LockedStage;
import io.leasehold.aop.invocation.NotAcquiredHandler;
import io.leasehold.aop.invocation.TransactionBinding;
import io.leasehold.aop.reactive.LockedPublishers;
import io.leasehold.aop.spec.LockKeyEvaluator;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.transaction.SpringTransactionBinding;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Intercepts the calls of {@code @DistributedLock} methods and runs them under their locks. Holds no state.
 *
 * <ol>
 *   <li>The annotation was read once into a spec. Without a spec, a call through a proxy fails. The weaver also matches
 *       methods such as {@code toString} of an annotated type, which are called directly.
 *   <li>The key is evaluated once against the arguments; without a key the call fails.
 *   <li>The locks are acquired through the {@link io.leasehold.Locker}, or joined if the thread already holds them. If
 *       that fails, the body does not run: the call throws, is skipped, or calls the fallback method.
 *   <li>The body runs with the locks in its {@link io.leasehold.LockContext}.
 *   <li>The locks are released, or left to the transaction that was active at step 3.
 * </ol>
 *
 * <p>If the method returns a {@code CompletionStage}, a {@code Mono} or a {@code Flux}, or suspends, steps 3 to 5 cover
 * the asynchronous work and occupy no thread. The lock is acquired with the call or the subscription, and released on
 * completion, error or cancellation.
 *
 * <p>Calls arrive through {@link DistributedLockAdvisor} for Spring's proxies, or through
 * {@link WovenDistributedLockAspect} for classes that AspectJ wove at load time.
 */
public final class DistributedLockAspect implements MethodInterceptor {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            DistributedLockAspect.class.getClassLoader());

    private final LockSpecs specs;

    private final LockKeyEvaluator evaluator;

    private final LockAcquisition acquisition;

    private final LockedInvocation body;

    private final CallerContext context;

    /**
     * Creates the aspect.
     *
     * @param specs the specs of the annotated methods
     * @param lockers supplies the lockers; first used by the first call
     */
    public DistributedLockAspect(LockSpecs specs, Supplier<LockerRegistry> lockers) {
        this(specs, lockers, CallerContext.DEFAULT, List::of);
    }

    /**
     * Creates the aspect with the executor, the decorators and the key types of the application.
     *
     * @param specs the specs of the annotated methods
     * @param lockers supplies the lockers; first used by the first call
     * @param context the executor and context for the body of a stage that had to wait for its lock
     * @param keyTypes the application's types that can be keys; looked up when a value needs them
     */
    public DistributedLockAspect(
            LockSpecs specs,
            Supplier<LockerRegistry> lockers,
            CallerContext context,
            Supplier<List<LockKeyType<?>>> keyTypes) {
        this(specs, lockers, context, keyTypes, System::nanoTime);
    }

    DistributedLockAspect(
            LockSpecs specs,
            Supplier<LockerRegistry> lockers,
            CallerContext context,
            Supplier<List<LockKeyType<?>>> keyTypes,
            LongSupplier nanoTime) {
        this.evaluator = new LockKeyEvaluator(keyTypes);
        this.context = context;
        TransactionBinding transactions = transactionsOfClassPath();
        this.specs = specs;
        this.acquisition = new LockAcquisition(lockers, transactions, nanoTime);
        this.body = new LockedInvocation(transactions);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> targetClass = target == null ? invocation.getMethod().getDeclaringClass() : interceptedClass(target);
        Optional<LockSpec> spec = specs.find(invocation.getMethod(), targetClass);
        if (spec.isEmpty() && invocation instanceof ProxyMethodInvocation) {
            throw new IllegalStateException("No lock was found for " + invocation.getMethod() + " of "
                    + targetClass.getName() + ", although its calls are intercepted");
        }
        return spec.isPresent() ? lockAndProceed(spec.get(), targetClass, invocation) : invocation.proceed();
    }

    /** A proxy of the JDK is matched with its interfaces, whatever is behind it. */
    private static Class<?> interceptedClass(Object target) {
        return Proxy.isProxyClass(target.getClass()) ? target.getClass() : AopUtils.getTargetClass(target);
    }

    private @Nullable Object lockAndProceed(LockSpec spec, Class<?> targetClass, MethodInvocation invocation)
            throws Throwable {
        List<String> keys;
        try {
            keys = acquisition.visible(
                    spec, evaluator.evaluate(spec, invocation.getThis(), targetClass, invocation.getArguments()));
        } catch (RuntimeException ex) {
            return signalled(spec, ex);
        }
        return switch (spec.result()) {
            case VALUE, PRIMITIVE -> runLocked(spec, keys, invocation);
            case STAGE ->
                AsyncAdvice.callsOf(invocation, spec.method(), targetClass)
                        ? LockedStage.runHere(spec, keys, acquisition, invocation)
                        : LockedStage.run(spec, keys, acquisition, context, invocation);
            case MONO -> new LockedPublishers(acquisition).mono(spec, keys, invocation);
            case FLUX -> new LockedPublishers(acquisition).flux(spec, keys, invocation);
        };
    }

    /** Asynchronous results signal the failure, so that handlers that are attached to them receive it. */
    private static Object signalled(LockSpec spec, RuntimeException failure) {
        return switch (spec.result()) {
            case VALUE, PRIMITIVE -> throw failure;
            case STAGE -> CompletableFuture.failedFuture(failure);
            case MONO, FLUX -> LockedPublishers.failed(spec, failure);
        };
    }

    private @Nullable Object runLocked(LockSpec spec, List<String> keys, MethodInvocation invocation) throws Throwable {
        AcquiredLocks locks;
        try {
            locks = acquisition.acquire(spec, keys);
        } catch (LockNotAcquiredException | LockBackendException ex) {
            return NotAcquiredHandler.handle(spec, invocation, ex);
        }
        return body.run(spec, locks, invocation);
    }

    private static TransactionBinding transactionsOfClassPath() {
        return TRANSACTIONS ? new SpringTransactionBinding() : TransactionBinding.NONE;
    }
}
