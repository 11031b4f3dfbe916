package io.leasehold.aop;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Spring's interceptor of {@code @Transactional}, with a {@link PublisherCommitGuard} inside of its transactions. */
final class GuardedTransactionInterceptor extends TransactionInterceptor {

    private static final long serialVersionUID = 1L;

    private final TransactionInterceptor delegate;

    GuardedTransactionInterceptor(TransactionInterceptor delegate) {
        this.delegate = delegate;
        setTransactionAttributeSource(delegate.getTransactionAttributeSource());
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return delegate.invoke(new Guarded(invocation, PublisherCommitGuard.ofThread()));
    }

    private record Guarded(MethodInvocation invocation, PublisherCommitGuard guard) implements MethodInvocation {

        @Override
        public @Nullable Object proceed() throws Throwable {
            Object result = invocation.proceed();
            if (result instanceof Mono<?> mono) {
                return guard.guard(mono);
            }
            return result instanceof Flux<?> flux ? guard.guard(flux) : result;
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
