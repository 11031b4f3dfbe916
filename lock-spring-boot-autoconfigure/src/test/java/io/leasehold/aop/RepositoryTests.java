package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Factory beans whose product is a proxy around a class that does not implement the interface, as in Spring Data. */
class RepositoryTests {

    @Test
    void aMethodOfARepositoryIsLocked() {
        LockedContext.with(Repository.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Orders.class).close("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    @Test
    void aMisspeltKeyOfARepositoryIsRefused() {
        LockedContext.with(MisspeltRepository.class)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("#idd"));
    }

    @Test
    void aRepositoryThatIsMadeEarlyIsRefused() {
        LockedContext.with(EarlyRepository.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("made too early"));
    }

    @Test
    void anAnnotationOnARepositoryLocksItsInheritedMethods() {
        LockedContext.with(AnnotatedRepository.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Ledger.class).save("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("ledger");
        });
    }

    interface Crud {

        void save(String id);
    }

    interface Orders extends Crud {

        @DistributedLock("#id")
        void close(String id);
    }

    interface Misspelt extends Crud {

        @DistributedLock("#idd")
        void close(String id);
    }

    @DistributedLock("'ledger'")
    interface Ledger extends Crud {}

    static class SimpleCrud implements Crud {

        @Override
        public void save(String id) {}
    }

    static class RepositoryFactory<T> implements FactoryBean<T> {

        private final Class<T> type;

        RepositoryFactory(Class<T> type) {
            this.type = type;
        }

        @Override
        public T getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setInterfaces(type);
            factory.setTarget(new SimpleCrud());
            factory.addAdvice(
                    (MethodInterceptor) call -> call.getMethod().getName().equals("close") ? null : call.proceed());
            return type.cast(factory.getProxy());
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Repository {

        @Bean
        static RepositoryFactory<Orders> orders() {
            return new RepositoryFactory<>(Orders.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MisspeltRepository {

        @Bean
        static RepositoryFactory<Misspelt> orders() {
            return new RepositoryFactory<>(Misspelt.class);
        }

        @Bean
        Object user(Misspelt orders) {
            return orders.toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyRepository extends Repository {

        @Bean
        static BeanFactoryPostProcessor early() {
            return beans -> beans.getBean(Orders.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedRepository {

        @Bean
        static RepositoryFactory<Ledger> ledger() {
            return new RepositoryFactory<>(Ledger.class);
        }
    }
}
