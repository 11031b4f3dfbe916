package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.RequestScope;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Transaction managers that Spring makes before most post-processors, that are no beans, or that report no commits. */
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

    @ParameterizedTest
    @ValueSource(classes = {OfConfigurerAlone.class, OfInterceptorAlone.class})
    void aTransactionManagerThatIsNoBeanDoesNotCommitAfterALoss(Class<?> configuration) {
        LockedContext.with(configuration, Work.class).run(context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() ->
                            context.getBean(Work.class).run(context.getBean("defaultLocker", RecordingLocker.class)));
            assertThat(context.getBean(NoBean.class).transactions().outcomes).containsExactly("rolled back");
        });
    }

    @Test
    void theTransactionManagerOfATemplateDoesNotCommitAfterALoss() {
        FakeTransactions transactions = new FakeTransactions();
        LockedContext.with(Work.class)
                .withBean(TransactionTemplate.class, transactions)
                .run(context -> {
                    RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
                    TransactionTemplate template = context.getBean(TransactionTemplate.class);
                    assertThatExceptionOfType(LockLostException.class)
                            .isThrownBy(() -> context.getBean(Work.class)
                                    .runLocked(() -> template.executeWithoutResult(status -> locker.lose("a"))));
                    assertThat(transactions.outcomes).containsExactly("rolled back");
                });
    }

    /** As {@code @MockitoBean} registers it. */
    @Test
    void aTemplateThatIsAMockIsNotCalled() {
        TransactionTemplate mock = mock(TransactionTemplate.class);
        LockedContext.with(Work.class)
                .withInitializer(context -> context.getBeanFactory().registerSingleton("template", mock))
                .run(context -> verifyNoInteractions(mock));
    }

    /** Outside of the scope the proxy has no target. */
    @Test
    void aTransactionManagerOfAScopeDoesNotCommitAfterALoss(CapturedOutput output) {
        LockedContext.with(Scoped.class, Work.class)
                .withInitializer(context -> context.getBeanFactory().registerScope("request", new RequestScope()))
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
                    RequestContextHolder.setRequestAttributes(
                            new ServletRequestAttributes(new MockHttpServletRequest()));
                    try {
                        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.run(locker));
                        assertThat(context.getBean("scopedTarget.transactions", FakeTransactions.class).outcomes)
                                .containsExactly("rolled back");
                    } finally {
                        RequestContextHolder.resetRequestAttributes();
                    }
                });
        assertThat(output).doesNotContain("commit even if a lock was lost");
    }

    /** As with {@code @EnableTransactionManagement(mode = ASPECTJ)}. */
    @Test
    void reactiveTransactionsThatAspectJWeavesAreWarnedOf(CapturedOutput output) {
        LockedContext.with()
                .withBean("wovenTransactions", WovenTransactions.class)
                .run(context -> assertThat(output).doesNotContain("because AspectJ weaves them"));
        LockedContext.with()
                .withBean("wovenTransactions", WovenTransactions.class)
                .withBean(ReactiveTransactionManager.class, () -> mock(ReactiveTransactionManager.class))
                .run(context -> assertThat(output)
                        .contains("Reactive transactions of bean 'wovenTransactions'")
                        .contains("commit even if a lock around them was lost, because AspectJ weaves them"));
    }

    /** Final methods of such a proxy do not reach the manager. */
    @Test
    void aTransactionManagerBehindAProxyByClassIsGuarded() {
        ProxyFactory proxy = new ProxyFactory(new DataSourceTransactionManager(new DriverManagerDataSource()));
        proxy.setProxyTargetClass(true);
        LockedContext.with(Work.class)
                .withBean("proxied", DataSourceTransactionManager.class, () ->
                        (DataSourceTransactionManager) proxy.getProxy())
                .run(context -> assertThat(((ConfigurableTransactionManager)
                                        AopProxyUtils.getSingletonTarget(context.getBean("proxied")))
                                .getTransactionExecutionListeners())
                        .hasSize(1));
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
    @EnableTransactionManagement
    static class OfConfigurerAlone implements TransactionManagementConfigurer {

        private final NoBean manager = new NoBean(new FakeTransactions());

        @Bean
        NoBean manager() {
            return manager;
        }

        @Override
        public PlatformTransactionManager annotationDrivenTransactionManager() {
            return manager.transactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfInterceptorAlone {

        @Bean
        NoBean manager() {
            return new NoBean(new FakeTransactions());
        }

        @Bean
        TransactionInterceptor interceptor(NoBean manager) {
            return new TransactionInterceptor(
                    (TransactionManager) manager.transactions(), new AnnotationTransactionAttributeSource());
        }

        @Bean
        Advisor transactionAdvisor(TransactionInterceptor interceptor) {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.setMappedName("run");
            return new DefaultPointcutAdvisor(pointcut, interceptor);
        }
    }

    private record NoBean(FakeTransactions transactions) {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Scoped {

        @Bean
        @Scope(scopeName = "request", proxyMode = ScopedProxyMode.INTERFACES)
        FakeTransactions transactions() {
            return new FakeTransactions();
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

        @DistributedLock("'a'")
        public void runLocked(Runnable work) {
            work.run();
        }
    }

    /** As Spring's AnnotationTransactionAspect. */
    static class WovenTransactions extends TransactionAspectSupport {

        WovenTransactions() {
            setTransactionAttributeSource(new AnnotationTransactionAttributeSource());
        }
    }
}
