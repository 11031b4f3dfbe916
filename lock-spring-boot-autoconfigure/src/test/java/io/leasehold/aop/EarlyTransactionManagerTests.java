package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Transaction managers that Spring makes before most post-processors, or that report no commits. */
@ExtendWith(OutputCaptureExtension.class)
class EarlyTransactionManagerTests {

    @ParameterizedTest
    @ValueSource(classes = {ChosenByConfigurer.class, UsedByAdvisor.class, RegisteredAsObject.class})
    void aTransactionManagerThatIsMadeEarlyDoesNotCommitAfterALoss(Class<?> configuration) {
        LockedContext.with(configuration, Work.class).run(context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() ->
                            context.getBean(Work.class).run(context.getBean("defaultLocker", RecordingLocker.class)));
            assertThat(context.getBean(FakeTransactions.class).outcomes).containsExactly("rolled back");
        });
    }

    @Test
    void aTransactionManagerThatReportsNoCommitsIsReported(CapturedOutput output) {
        LockedContext.with(Decorated.class)
                .run(context -> assertThat(output)
                        .contains("Transactions of bean 'decorated' (" + Decorator.class.getName()
                                + ") commit even if a lock was lost"));
    }

    @Configuration
    @EnableTransactionManagement
    static class ChosenByConfigurer implements TransactionManagementConfigurer {

        @Bean
        FakeTransactions transactions() {
            return new FakeTransactions();
        }

        @Override
        public PlatformTransactionManager annotationDrivenTransactionManager() {
            return transactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UsedByAdvisor {

        @Bean
        FakeTransactions transactions() {
            return new FakeTransactions();
        }

        @Bean
        Advisor transactionAdvisor(PlatformTransactionManager transactions) {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.setMappedName("run");
            return new DefaultPointcutAdvisor(
                    pointcut,
                    new TransactionInterceptor(
                            (TransactionManager) transactions, new AnnotationTransactionAttributeSource()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class RegisteredAsObject {

        @Bean
        static BeanFactoryPostProcessor registration() {
            return beans -> beans.registerSingleton("transactions", new FakeTransactions());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorated {

        @Bean
        Decorator decorated() {
            return new Decorator(new FakeTransactions());
        }
    }

    private record Decorator(PlatformTransactionManager delegate) implements PlatformTransactionManager {

        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            return delegate.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            delegate.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            delegate.rollback(status);
        }
    }

    static class Work {

        @DistributedLock("'a'")
        @Transactional
        public void run(RecordingLocker locker) {
            locker.lose("a");
        }
    }
}
