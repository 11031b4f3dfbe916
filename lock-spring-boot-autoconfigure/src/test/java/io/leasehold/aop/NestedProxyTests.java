package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.order.LockAdviceOrder;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Proxies of the application around the proxy that locks. */
class NestedProxyTests {

    @ParameterizedTest
    @ValueSource(classes = {ByName.class, ByPostProcessor.class})
    void aMethodBehindASecondProxyIsLocked(Class<?> proxies) {
        LockedContext.with(proxies).withBean("orders", Orders.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Orders.class).ship("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
            assertThat(context.getBean(Calls.class).names).containsExactly("ship");
        });
    }

    @Test
    void theAdviceOfTheInnerProxyIsArranged() {
        LockedContext.with(ByName.class, Caches.class)
                .withBean("orders", Orders.class)
                .run(context -> {
                    RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
                    context.getBean(Orders.class).find("a");
                    context.getBean(Orders.class).find("a");
                    assertThat(locker.requestedKeys()).containsExactly("a");
                });
    }

    @Test
    void aBeanWithoutTheLockInAnyOfItsProxiesIsRefused() {
        LockedContext.with(Unlocked.class)
                .withBean("orders", Orders.class)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.ofKind(Kind.INTERCEPTION)));
    }

    static class Calls {

        private final List<String> names = new CopyOnWriteArrayList<>();
    }

    @Configuration(proxyBeanMethods = false)
    static class ByName {

        @Bean
        static Calls calls() {
            return new Calls();
        }

        @Bean
        static MethodInterceptor recording(Calls calls) {
            return invocation -> {
                calls.names.add(invocation.getMethod().getName());
                return invocation.proceed();
            };
        }

        @Bean
        static BeanNameAutoProxyCreator creator() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("orders");
            creator.setInterceptorNames("recording");
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByPostProcessor {

        @Bean
        static Calls calls() {
            return new Calls();
        }

        @Bean
        static BeanPostProcessor wrapping(Calls calls) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!beanName.equals("orders")) {
                        return bean;
                    }
                    ProxyFactory proxy = new ProxyFactory(bean);
                    proxy.setProxyTargetClass(true);
                    proxy.addAdvice((MethodInterceptor) invocation -> {
                        calls.names.add(invocation.getMethod().getName());
                        return invocation.proceed();
                    });
                    return proxy.getProxy();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unlocked {

        @Bean
        static BeanPostProcessor unwrapping() {
            return new OutermostPostProcessor();
        }
    }

    /** Replaces the proxy by two others that do not lock. */
    private static final class OutermostPostProcessor implements BeanPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!beanName.equals("orders")) {
                return bean;
            }
            ProxyFactory inner = new ProxyFactory(new Orders());
            inner.setProxyTargetClass(true);
            ProxyFactory outer = new ProxyFactory(inner.getProxy());
            outer.setProxyTargetClass(true);
            return outer.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(proxyTargetClass = true)
    static class Caches {

        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        static LockAdviceOrder order(BeanFactory beans) {
            return new LockAdviceOrder(beans);
        }
    }

    public static class Orders {

        @DistributedLock("#id")
        public void ship(String id) {}

        @Cacheable("orders")
        @DistributedLock("#id")
        public String find(String id) {
            return id;
        }
    }
}
