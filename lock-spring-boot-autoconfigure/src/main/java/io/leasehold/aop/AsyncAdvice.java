package io.leasehold.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;

/**
 * Asynchronous execution by Spring's advice, whatever annotation selects the method: {@code @Async}, that of
 * {@code @EnableAsync(annotation = ...)} or Jakarta's. An annotation alone does not show that the advice applies.
 */
public final class AsyncAdvice {

    private AsyncAdvice() {}

    /** Whether one of the advisors executes the method asynchronously. */
    public static boolean isAmong(Collection<Advisor> advisors, Method method, Class<?> targetClass) {
        return advisors.stream().anyMatch(advisor -> applies(advisor, method, targetClass));
    }

    /** Whether the proxy that is called executes the method asynchronously: the calling thread waits for its result. */
    static boolean callsOf(MethodInvocation invocation, Method method, Class<?> targetClass) {
        return invocation instanceof ProxyMethodInvocation call
                && call.getProxy() instanceof Advised proxy
                && isAmong(Arrays.asList(proxy.getAdvisors()), method, targetClass);
    }

    private static boolean applies(Advisor advisor, Method method, Class<?> targetClass) {
        if (!(advisor instanceof PointcutAdvisor selective)
                || !(advisor.getAdvice() instanceof AsyncExecutionInterceptor)) {
            return false;
        }
        Pointcut pointcut = selective.getPointcut();
        return pointcut.getClassFilter().matches(targetClass)
                && pointcut.getMethodMatcher().matches(method, targetClass);
    }
}
