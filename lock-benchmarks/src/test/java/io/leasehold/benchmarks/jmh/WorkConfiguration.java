package io.leasehold.benchmarks.jmh;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WorkConfiguration {

    @Bean
    LockedWork lockedWork() {
        return new LockedWork();
    }

    /** A proxy of the same kind. Its only interceptor just proceeds. */
    @Bean
    Work proxiedWork() {
        ProxyFactory factory = new ProxyFactory(new PlainWork());
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
        return (Work) factory.getProxy();
    }
}
