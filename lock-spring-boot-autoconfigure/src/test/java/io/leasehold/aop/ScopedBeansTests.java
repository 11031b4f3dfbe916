package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.security.ProtectionDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.SmartClassLoader;

/** Beans that no list of singletons has: prototypes, inner beans, objects behind proxies that hide what they do. */
class ScopedBeansTests {

    @Test
    void aFinalMethodOfAnUnusedPrototypeStopsTheStart() {
        LockedContext.with(Prototype.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("it is final"));
    }

    @Test
    void aFinalMethodOfAPrototypeOfASingletonStopsTheStart() {
        LockedContext.with(Prototype.class, UserOfPrototype.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("it is final"));
    }

    @Test
    void aFinalMethodOfAnInnerBeanStopsTheStart() {
        LockedContext.with()
                .withInitializer(context -> {
                    RootBeanDefinition user = new RootBeanDefinition(User.class);
                    user.getPropertyValues().add("work", new RootBeanDefinition(FinalWork.class));
                    ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("user", user);
                })
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("it is final"));
    }

    @Test
    void aFinalMethodBehindAScopedProxyStopsTheStart() {
        scoped(ScopedFinalWork.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("it is final"));
    }

    /** The proxy runs the method on itself, so that the bean is never created. */
    @ParameterizedTest
    @ValueSource(classes = {LazyFinalWork.class, LazyPrototypeOfFinalWork.class})
    void aFinalMethodBehindALazyInjectionPointStopsTheStart(Class<?> configuration) {
        LockedContext.with(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("it is final"));
    }

    @Test
    void aMethodBehindAScopedProxyIsLocked() {
        scoped(ScopedWork.class).run(context -> {
            context.getBean("scopedWork", Work.class).work("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    /** As that of Spring Boot's devtools, if the class is in a library. */
    @ParameterizedTest
    @ValueSource(classes = {ScopedPackagePrivateWork.class, PackagePrivateWork.class})
    void aPackagePrivateMethodOfAnotherClassLoaderThanThatOfItsProxyStopsTheStart(Class<?> configuration) {
        scoped(configuration)
                .withClassLoader(new LoaderOfProxies())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("proxy is loaded by " + LoaderOfProxies.class.getName()));
    }

    private static ApplicationContextRunner scoped(Class<?> configuration) {
        return LockedContext.with(configuration)
                .withInitializer(context -> context.getBeanFactory().registerScope("thread", new SimpleThreadScope()));
    }

    @Test
    void aFinalMethodBehindAnInterfaceIsLocked() {
        LockedContext.withInterfaceProxies(FinalImplementation.class).run(context -> {
            context.getBean(Work.class).work("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    @Test
    void aProxyThatHidesItsAdviceIsRefused() {
        ProxyFactory proxies = new ProxyFactory(new FinalImplementation());
        proxies.setOpaque(true);
        LockedContext.with()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("hidden", proxies.getProxy()))
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasMessageContaining("opaque"));
    }

    interface Work {

        @DistributedLock("#key")
        void work(String key);
    }

    static class FinalImplementation implements Work {

        @Override
        public final void work(String key) {}
    }

    static class FinalWork {

        @DistributedLock("#key")
        public final void work(String key) {}
    }

    public static class PackagePrivateWork {

        @DistributedLock("#key")
        void work(String key) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedPackagePrivateWork {

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        PackagePrivateWork scopedPackagePrivateWork() {
            return new PackagePrivateWork();
        }
    }

    /** Spring defines the classes of proxies by it, and not by the class loader of their targets. */
    public static final class LoaderOfProxies extends ClassLoader implements SmartClassLoader {

        LoaderOfProxies() {
            super(ScopedBeansTests.class.getClassLoader());
        }

        @Override
        public Class<?> publicDefineClass(String name, byte[] bytes, ProtectionDomain protectionDomain) {
            return defineClass(name, bytes, 0, bytes.length, protectionDomain);
        }
    }

    static class User {

        public void setWork(FinalWork work) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {

        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        FinalWork work() {
            return new FinalWork();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UserOfPrototype {

        @Bean
        String user(FinalWork work) {
            return work.toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedFinalWork {

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        FinalWork scopedFinalWork() {
            return new FinalWork();
        }
    }

    static class OpenWork implements Work {

        @Override
        public void work(String key) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedWork {

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        OpenWork scopedWork() {
            return new OpenWork();
        }
    }

    static class Caller {

        final FinalWork work;

        Caller(FinalWork work) {
            this.work = work;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyFinalWork {

        @Bean
        @Lazy
        FinalWork lazyFinalWork() {
            return new FinalWork();
        }

        @Bean
        Caller caller(@Lazy FinalWork work) {
            return new Caller(work);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyPrototypeOfFinalWork {

        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        FinalWork finalPrototype() {
            return new FinalWork();
        }

        @Bean
        Caller caller(@Lazy FinalWork work) {
            return new Caller(work);
        }
    }
}
