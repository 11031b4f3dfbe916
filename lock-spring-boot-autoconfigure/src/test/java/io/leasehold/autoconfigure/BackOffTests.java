package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.engine.LockEngine;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Beans of the application stay what they are. */
class BackOffTests {

    private static final AutoConfigurations ALL = AutoConfigurations.of(
            DataRedisAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            LockAutoConfiguration.class,
            LockAspectAutoConfiguration.class,
            LockMetricsAutoConfiguration.class,
            LockHealthContributorAutoConfiguration.class,
            LocksEndpointAutoConfiguration.class);

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(ALL).withPropertyValues("lock.backend=memory");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lockEngine",
                "lockerFactory",
                "lockBackends",
                "lockLifecycle",
                "lockEventPublisher",
                "redisLockBackendFactory"
            })
    void anUnrelatedBeanMayHaveAnyName(String name) {
        runner.withBean(name, String.class, () -> "unrelated").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(name)).isEqualTo("unrelated");
            try (LockHandle handle = context.getBean(Locker.class).lock("key")) {
                assertThat(handle.isHeld()).isTrue();
            }
        });
    }

    /** But for lockers, and what the documentation lets an application replace by its name or type. */
    @Test
    void beansOfTheLibraryHaveNamesThatNobodyElseTakes() {
        runner.run(context -> {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            assertThat(Stream.of(beans.getBeanDefinitionNames())
                            .filter(name -> isOfTheLibrary(beans.getMergedBeanDefinition(name)))
                            .filter(name -> !name.startsWith("leasehold") && !name.contains("io.leasehold.")))
                    .containsExactlyInAnyOrder("defaultLocker", "lockerRegistry", "locksHealthIndicator");
        });
    }

    private static boolean isOfTheLibrary(BeanDefinition definition) {
        return definition.getFactoryMethodName() != null
                && (String.valueOf(definition.getFactoryBeanName()).startsWith("io.leasehold.")
                        || String.valueOf(definition.getFactoryBeanName()).startsWith("leasehold")
                        || String.valueOf(definition.getBeanClassName()).startsWith("io.leasehold."));
    }

    @Test
    void anEngineOfTheApplicationIsAnotherOne() {
        runner.withBean("ownEngine", LockEngine.class, () -> new LockEngine(new LockListener() {}))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(LockEngine.class)).isSameAs(context.getBean("ownEngine"));
                });
    }

    @Test
    void aListenerMayUseALocker() {
        runner.withBean(LockingListener.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Locker.class).lock("key").close();
            assertThat(context.getBean(LockingListener.class).released).containsExactly("key");
        });
    }

    @Test
    void aLockerThatWasNotUsedBeforeSaysAtShutdownThatItIsTooLate() {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner.withBean(LocksAtItsEnd.class, failure)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(failure.get()).isInstanceOf(LockBackendException.class).hasMessageContaining("shut down");
    }

    @Test
    void anInterceptorOfTheApplicationIsInjectedByItsType() {
        runner.withUserConfiguration(OwnInterceptor.class)
                .withBean(NeedsTheInterceptor.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(NeedsTheInterceptor.class)
                                    .interceptor
                                    .name())
                            .isEqualTo("audited");
                });
    }

    static final class LockingListener implements LockListener {

        private final List<String> released = new CopyOnWriteArrayList<>();

        private final Locker locker;

        LockingListener(Locker locker) {
            this.locker = locker;
        }

        @Override
        public void released(LockHandle handle, Duration held) {
            assertThat(locker.name()).isEqualTo("default");
            released.add(handle.key());
        }
    }

    static final class LocksAtItsEnd {

        private final LockerRegistry lockers;

        private final AtomicReference<@Nullable Throwable> failure;

        LocksAtItsEnd(LockerRegistry lockers, AtomicReference<@Nullable Throwable> failure) {
            this.lockers = lockers;
            this.failure = failure;
        }

        @PreDestroy
        void lock() {
            try {
                lockers.get("default").tryLock("key").ifPresent(LockHandle::close);
            } catch (RuntimeException ex) {
                failure.set(ex);
            }
        }
    }

    record NeedsTheInterceptor(AuditedTransactionInterceptor interceptor) {}

    static class AuditedTransactionInterceptor extends TransactionInterceptor {

        private static final long serialVersionUID = 1L;

        private final String name = "audited";

        String name() {
            return name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class OwnInterceptor {

        @Bean
        TransactionManager ownTransactions() {
            return new DataSourceTransactionManager(new SimpleDriverDataSource());
        }

        @Bean
        AuditedTransactionInterceptor auditedInterceptor(TransactionAttributeSource source) {
            AuditedTransactionInterceptor interceptor = new AuditedTransactionInterceptor();
            interceptor.setTransactionAttributeSource(source);
            return interceptor;
        }
    }
}
