package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.transaction.Ancestors;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Adds the check of the locks to reactive transactions: those of {@code @Transactional} methods that return a
 * {@code Mono}, a {@code Flux} or a Kotlin {@code Flow}, also where a parent context declares
 * {@code @EnableTransactionManagement}, and those of operators that are beans of the same context or are injected from a
 * parent. It cannot reach into the transactions that AspectJ weaves; a warning reports them. Loaded only if Spring's
 * transactions and Reactor are on the class path.
 *
 * <p>Runs before the auto-proxy creators, which cause the creation of the interceptor.
 */
public final class ReactiveCommitGuard implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    private static final Logger LOGGER = LoggerFactory.getLogger(ReactiveCommitGuard.class);

    private static final boolean COROUTINES = ClassUtils.isPresent(
            "kotlinx.coroutines.reactor.ReactorContext", ReactiveCommitGuard.class.getClassLoader());

    private static final String SPRING = "org.springframework.transaction.";

    private @Nullable ListableBeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = beanFactory instanceof ListableBeanFactory listable ? listable : null;
        for (ConfigurableListableBeanFactory ancestor : Ancestors.of(beanFactory)) {
            Ancestors.existing(ancestor, BeanFactoryTransactionAttributeSourceAdvisor.class)
                    .forEach(ReactiveCommitGuard::guard);
            if (beanFactory instanceof DefaultListableBeanFactory child) {
                operatorsOf(ancestor).forEach(name -> inherit(name, ancestor, child));
            }
        }
    }

    /** The operators of Spring's own type. Others may be injected by a type that a guard does not have. */
    private static Stream<String> operatorsOf(ConfigurableListableBeanFactory ancestor) {
        return Arrays.stream(ancestor.getBeanNamesForType(TransactionalOperator.class, true, false))
                .filter(name -> {
                    Class<?> type = ancestor.getType(name, false);
                    return type != null && type.getPackageName().equals(TransactionalOperator.class.getPackageName());
                });
    }

    /** Defines the operator of a parent in the child as well, so that the beans of the child receive a guarded one. */
    private static void inherit(
            String name, ConfigurableListableBeanFactory ancestor, DefaultListableBeanFactory child) {
        if (child.containsLocalBean(name)) {
            return;
        }
        RootBeanDefinition definition = new RootBeanDefinition(
                TransactionalOperator.class, () -> ancestor.getBean(name, TransactionalOperator.class));
        definition.setLazyInit(true);
        // The operator belongs to the parent, which also ends its life.
        definition.setDestroyMethodName(null);
        if (ancestor.containsBeanDefinition(name)) {
            BeanDefinition original = ancestor.getMergedBeanDefinition(name);
            definition.setPrimary(original.isPrimary());
            definition.setFallback(original.isFallback());
            definition.setAutowireCandidate(original.isAutowireCandidate());
            if (original instanceof AbstractBeanDefinition qualified) {
                definition.copyQualifiersFrom(qualified);
            }
        }
        child.registerBeanDefinition(name, definition);
    }

    private static void guard(BeanFactoryTransactionAttributeSourceAdvisor advisor) {
        if (advisor.getAdvice() instanceof TransactionInterceptor interceptor
                && !(interceptor instanceof GuardedTransactionInterceptor)) {
            advisor.setAdvice(new GuardedTransactionInterceptor(interceptor));
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof TransactionInterceptor interceptor) {
            return guarded(bean, beanName, MethodInterceptor.class, new GuardedTransactionInterceptor(interceptor));
        }
        if (bean instanceof TransactionAspectSupport) {
            warnOfWoven(bean, beanName);
        }
        return bean instanceof TransactionalOperator operator
                ? guarded(bean, beanName, TransactionalOperator.class, new GuardedTransactionalOperator(operator))
                : bean;
    }

    /** The aspect of {@code @EnableTransactionManagement(mode = ASPECTJ)} calls the method itself. */
    private void warnOfWoven(Object aspect, String beanName) {
        if (beans != null
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                        beans, ReactiveTransactionManager.class, true, false)
                                .length
                        > 0) {
            LOGGER.warn(
                    "Reactive transactions of bean '{}' ({}) commit even if a lock around them was lost, because AspectJ"
                            + " weaves them. Leave the mode of @EnableTransactionManagement as it is by default, or use a"
                            + " TransactionalOperator that is a bean",
                    beanName,
                    aspect.getClass().getName());
        }
    }

    /** Keeps the type of a bean whose class is the application's own, because it may be injected by its type. */
    private static Object guarded(Object bean, String beanName, Class<?> guardedMethods, Object guard) {
        if (bean.getClass().getPackageName().startsWith(SPRING)) {
            return guard;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(true);
        proxy.addAdvice((MethodInterceptor) call -> {
            Method method = call.getMethod();
            Method guarded = ReflectionUtils.findMethod(guardedMethods, method.getName(), method.getParameterTypes());
            return guarded == null
                    ? call.proceed()
                    : AopUtils.invokeJoinpointUsingReflection(guard, guarded, call.getArguments());
        });
        try {
            refuseFinal(bean.getClass(), guardedMethods);
            return proxy.getProxy(bean.getClass().getClassLoader());
        } catch (AopConfigException ex) {
            LOGGER.warn(
                    "Bean '{}' cannot be injected as a {}, because the check of the locks before reactive commits cannot"
                            + " extend this class. Inject a type of Spring's, or make the class and its methods neither final"
                            + " nor private",
                    beanName,
                    bean.getClass().getName(),
                    ex);
            return guard;
        }
    }

    /** A final method would run on the proxy itself, which has no fields. */
    private static void refuseFinal(Class<?> type, Class<?> guardedMethods) {
        for (Method guarded : guardedMethods.getMethods()) {
            Method method = ReflectionUtils.findMethod(type, guarded.getName(), guarded.getParameterTypes());
            if (method != null && Modifier.isFinal(method.getModifiers())) {
                throw new AopConfigException(method + " is final");
            }
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /**
     * Verifies before commit that all locks held by a reactive transaction are still valid. Spring's listeners have no
     * access to the Reactor context, which contains the locks. The publisher inside the transaction is therefore
     * wrapped. It registers the check when it ends, after all synchronizations that it has registered itself. If it joined
     * a transaction, the publisher around it does so again at its own end.
     */
    private static final class Guard {

        private final List<LockHandle> ofThread;

        private Guard(List<LockHandle> ofThread) {
            this.ofThread = ofThread;
        }

        /** A guard for the locks of the calling thread, in addition to those in the Reactor context. */
        static Guard ofThread() {
            return new Guard(LockLosses.ownNotTolerated());
        }

        <T> Mono<T> guard(Mono<T> body) {
            return Mono.deferContextual(
                    context -> TransactionScope.of(context).within(body).doOnTerminate(() -> register(context)));
        }

        <T> Flux<T> guard(Flux<T> body) {
            return Flux.deferContextual(
                    context -> TransactionScope.of(context).within(body).doOnTerminate(() -> register(context)));
        }

        private void register(ContextView context) {
            register(context, TransactionScope.of(context)::afterFailure);
        }

        /** A flow is in no scope, because its collector is cancelled as it is. */
        private void registerOfFlow(ContextView context) {
            FlowEnd end = context.getOrDefault(FlowEnd.class, null);
            register(context, action -> {
                if (end != null) {
                    end.afterFailure = action;
                }
            });
        }

        private void register(ContextView context, Consumer<Runnable> afterFailure) {
            ReactiveLockContext locks = ReactiveLockContext.of(context);
            List<LockHandle> handles = new ArrayList<>(locks.vetoing());
            handles.addAll(ofThread);
            ReactiveTransactionBinding.SpringTransactions.with(context, transaction -> {
                // the locks may end before the scope of a method without a transaction
                if (transaction.isActualTransactionActive()) {
                    ReactiveCommitVeto.register(transaction, handles, locks.pending());
                    List<TransactionSynchronization> registered = transaction.getSynchronizations();
                    afterFailure.accept(() -> endUncalled(registered, transaction));
                }
                return true;
            });
        }
    }

    /**
     * Ends what a transaction has kept if Spring did not call its synchronizations. It calls none of them after the
     * completion if one of them fails after the commit.
     */
    private static void endUncalled(
            List<TransactionSynchronization> registered, TransactionSynchronizationManager transaction) {
        if (transaction.isSynchronizationActive()
                && transaction.getSynchronizations().stream().anyMatch(registered::contains)) {
            // the transaction goes on after a method that has joined it
            return;
        }
        for (TransactionSynchronization one : registered) {
            if (one instanceof ReactiveTransactionBinding.LockSynchronization locked) {
                locked.releaseUncalled();
            } else if (one instanceof ReactiveCommitVeto veto) {
                veto.end();
            }
        }
    }

    /** Spring's interceptor of {@code @Transactional}, with a {@link Guard} inside of its transactions. */
    static final class GuardedTransactionInterceptor extends TransactionInterceptor {

        private static final long serialVersionUID = 1L;

        private final TransactionInterceptor delegate;

        GuardedTransactionInterceptor(TransactionInterceptor delegate) {
            this.delegate = delegate;
            setTransactionAttributeSource(delegate.getTransactionAttributeSource());
            setTransactionManager(delegate.getTransactionManager());
        }

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return inScope(invocation.getMethod(), delegate.invoke(new Guarded(invocation, Guard.ofThread())));
        }

        private static @Nullable Object inScope(Method method, @Nullable Object result) {
            Class<?> declared = method.getReturnType();
            // a special type, such as a ConnectableFlux, is no result of a reactive transaction
            if (result instanceof Mono<?> mono && declared.isAssignableFrom(Mono.class)) {
                return TransactionScope.around(mono);
            }
            if (result instanceof Flux<?> flux && declared.isAssignableFrom(Flux.class)) {
                return TransactionScope.around(flux);
            }
            return COROUTINES ? GuardedFlow.around(declared, result, FlowEnd::around) : result;
        }

        private record Guarded(MethodInvocation invocation, Guard guard) implements MethodInvocation {

            @Override
            public @Nullable Object proceed() throws Throwable {
                Object result = invocation.proceed();
                Class<?> declared = getMethod().getReturnType();
                // a special type, such as a ConnectableFlux, is no result of a reactive transaction
                if (result instanceof Mono<?> mono && declared.isAssignableFrom(Mono.class)) {
                    return guard.guard(mono);
                }
                if (result instanceof Flux<?> flux && declared.isAssignableFrom(Flux.class)) {
                    return guard.guard(flux);
                }
                if (result instanceof Publisher<?> other && declared == Publisher.class) {
                    return guard.guard(Flux.from(other));
                }
                return COROUTINES ? GuardedFlow.of(declared, result, guard::registerOfFlow) : result;
            }

            @Override
            public Method getMethod() {
                return invocation.getMethod();
            }

            @Override
            public @Nullable Object[] getArguments() {
                return invocation.getArguments();
            }

            @Override
            public @Nullable Object getThis() {
                return invocation.getThis();
            }

            @Override
            public AccessibleObject getStaticPart() {
                return invocation.getStaticPart();
            }
        }
    }

    /** The end of one collection of a transactional Kotlin {@code Flow}. */
    private static final class FlowEnd {

        private volatile Runnable afterFailure = () -> {};

        static Flux<Object> around(Flux<Object> transaction) {
            return Flux.defer(() -> {
                FlowEnd end = new FlowEnd();
                return transaction
                        .doOnError(failure -> end.afterFailure.run())
                        .contextWrite(context -> context.put(FlowEnd.class, end));
            });
        }
    }

    /** An operator with a {@link Guard} inside of its transactions. */
    private static final class GuardedTransactionalOperator implements TransactionalOperator {

        private final TransactionalOperator delegate;

        GuardedTransactionalOperator(TransactionalOperator delegate) {
            this.delegate = delegate;
        }

        @Override
        public <T> Flux<T> transactional(Flux<T> flux) {
            return TransactionScope.around(
                    delegate.transactional(Guard.ofThread().guard(flux)));
        }

        @Override
        public <T> Mono<T> transactional(Mono<T> mono) {
            return TransactionScope.around(
                    delegate.transactional(Guard.ofThread().guard(mono)));
        }

        @Override
        public <T> Flux<T> execute(TransactionCallback<T> action) {
            Guard guard = Guard.ofThread();
            return TransactionScope.around(
                    delegate.execute(transaction -> guard.guard(Flux.from(action.doInTransaction(transaction)))));
        }
    }
}
