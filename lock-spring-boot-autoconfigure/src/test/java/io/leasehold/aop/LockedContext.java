package io.leasehold.aop;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

/** An application context with the beans of this package. */
final class LockedContext {

    private LockedContext() {}

    static ApplicationContextRunner with(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withUserConfiguration(AopTestConfiguration.class, ClassProxies.class)
                .withUserConfiguration(configurations);
    }

    static ApplicationContextRunner withInterfaceProxies(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withUserConfiguration(AopTestConfiguration.class, InterfaceProxies.class)
                .withUserConfiguration(configurations);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class ClassProxies {}

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    static class InterfaceProxies {}
}
