package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Beans that are proxied through their interfaces, although proxies of classes are the rule. */
class InterfaceProxyTests {

    @Test
    void aLambdaIsLocked() {
        assertLocked(Lambda.class);
    }

    @Test
    void aProxyOfTheJdkIsLocked() {
        assertLocked(JdkProxy.class);
    }

    @Test
    void aFinalClassThatAsksForInterfacesIsLocked() {
        assertLocked(FinalWork.class);
    }

    @Test
    void aFinalClassThatDoesNotAskForInterfacesIsRefused() {
        LockedContext.with(UnproxyableWork.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("@Proxyable"));
    }

    @Test
    void anHttpClientIsLocked() {
        LockedContext.with(HttpClient.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Client.class).get("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    /** The name of a proxy's class, and that of a lambda's, differ between processes. */
    @Test
    void theTargetClassOfAProxyIsItsInterface() {
        LockedContext.with(JdkProxy.class).run(context -> {
            context.getBean(Work.class).runPerType("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly(Work.class.getName() + "#a");
        });
    }

    @Test
    void theTargetClassOfALambdaIsItsInterface() {
        LockedContext.with(LambdaPerType.class).run(context -> {
            context.getBean(WorkPerType.class).run("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly(WorkPerType.class.getName() + "#a");
        });
    }

    private static void assertLocked(Class<?> configuration) {
        LockedContext.with(configuration).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Work.class).run("a");
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            assertThat(locker.requestedKeys()).containsExactly("a");
            assertThat(locker.heldCount()).isZero();
        });
    }

    interface Work {

        @DistributedLock("#key")
        void run(String key);

        @DistributedLock("#root.targetClass + '#' + #key")
        default void runPerType(String key) {}
    }

    interface WorkPerType {

        @DistributedLock("#root.targetClass + '#' + #key")
        void run(String key);
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaPerType {

        @Bean
        WorkPerType work() {
            return key -> {};
        }
    }

    @HttpExchange
    interface Client {

        @GetExchange
        @DistributedLock("#key")
        void get(@RequestParam("key") String key);
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambda {

        @Bean
        Work work() {
            return key -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JdkProxy {

        @Bean
        Work work() {
            return (Work) Proxy.newProxyInstance(
                    Work.class.getClassLoader(),
                    new Class<?>[] {Work.class},
                    (proxy, method, arguments) -> method.getName().equals("hashCode") ? 1 : null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HttpClient {

        @Bean
        Client client() {
            return HttpServiceProxyFactory.builderFor(mock(HttpExchangeAdapter.class))
                    .build()
                    .createClient(Client.class);
        }
    }

    @Proxyable(ProxyType.INTERFACES)
    static final class FinalWork implements Work {

        @Override
        public void run(String key) {}
    }

    static final class UnproxyableWork implements Work {

        @Override
        public void run(String key) {}
    }
}
