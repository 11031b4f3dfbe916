package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Transactions of a parent context, under locks of a child context. */
class ParentContextTests {

    @Test
    void aTransactionManagerOfAParentDoesNotCommitAfterALoss() {
        run(Manager.class, context -> {
            FakeTransactions transactions = context.getBean(FakeTransactions.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Work.class).run(locker(context)));
            assertThat(transactions.outcomes).containsExactly("rolled back");
        });
    }

    @Test
    void aLazyTransactionManagerOfAParentDoesNotCommitAfterALoss() {
        run(LazyManager.class, context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Work.class).run(locker(context)));
            assertThat(context.getBean(FakeTransactions.class).outcomes).containsExactly("rolled back");
        });
    }

    @Test
    void eachOfSeveralChildrenAsksOnce() {
        run(
                Manager.class,
                first -> new ApplicationContextRunner()
                        .withParent(first.getParent())
                        .withUserConfiguration(AopTestConfiguration.class)
                        .run(second -> assertThat(
                                        first.getBean(FakeTransactions.class).getTransactionExecutionListeners())
                                .hasSize(1)));
    }

    @Test
    void aReactiveTransactionOfAParentDoesNotCommitAfterALoss() {
        run(ReactiveManager.class, context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(ReactiveWork.class)
                            .run(locker(context))
                            .block(Duration.ofSeconds(10)));
            assertThat(context.getBean(ReactiveTransactions.class).commits).isZero();
        });
    }

    @Test
    void anOperatorOfAParentDoesNotCommitAfterALoss() {
        run(Operator.class, context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(ReactiveWork.class)
                            .runWith(context.getBean(TransactionalOperator.class), locker(context))
                            .block(Duration.ofSeconds(10)));
            assertThat(context.getBean(ReactiveTransactions.class).commits).isZero();
        });
    }

    @Test
    void anOperatorOfAParentCommitsUnderItsLock() {
        run(Operator.class, context -> {
            context.getBean(TransactionalOperator.class)
                    .transactional(Mono.empty())
                    .block(Duration.ofSeconds(10));
            assertThat(context.getBean(ReactiveTransactions.class).commits).isEqualTo(1);
        });
    }

    @Test
    void theOperatorsOfAParentKeepTheirQualifiers() {
        run(Operators.class, context -> {
            assertThat(context.getBean(TransactionalOperator.class)).isSameAs(context.getBean("first"));
            assertThat(context.getBeanNamesForType(TransactionalOperator.class)).containsExactly("first", "second");
        });
    }

    private static RecordingLocker locker(ApplicationContext context) {
        return context.getBean("defaultLocker", RecordingLocker.class);
    }

    private static void run(Class<?> parent, Consumer<AssertableApplicationContext> story) {
        new ApplicationContextRunner()
                .withUserConfiguration(parent)
                .run(above -> LockedContext.with(Work.class, ReactiveWork.class)
                        .withParent(above)
                        .run(story::accept));
    }

    static class Work {

        @DistributedLock("'a'")
        @Transactional
        public void run(RecordingLocker locker) {
            locker.lose("a");
        }
    }

    static class ReactiveWork {

        @DistributedLock("'a'")
        @Transactional
        public Mono<Void> run(RecordingLocker locker) {
            return Mono.fromRunnable(() -> locker.lose("a"));
        }

        @DistributedLock("'a'")
        public Mono<Void> runWith(TransactionalOperator operator, RecordingLocker locker) {
            return operator.transactional(Mono.fromRunnable(() -> locker.lose("a")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Operator {

        @Bean
        ReactiveTransactions transactionManager() {
            return new ReactiveTransactions();
        }

        @Bean
        TransactionalOperator operator(ReactiveTransactions manager) {
            return TransactionalOperator.create(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Operators {

        @Bean
        @Primary
        TransactionalOperator first() {
            return TransactionalOperator.create(new ReactiveTransactions());
        }

        @Bean
        @Lazy
        TransactionalOperator second() {
            return TransactionalOperator.create(new ReactiveTransactions());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Manager {

        @Bean
        FakeTransactions transactionManager() {
            return new FakeTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class LazyManager {

        @Bean
        @Lazy
        FakeTransactions transactionManager() {
            return new FakeTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class ReactiveManager {

        @Bean
        ReactiveTransactions transactionManager() {
            return new ReactiveTransactions();
        }
    }

    /** Reactive transactions over no resource. */
    static final class ReactiveTransactions extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        private volatile int commits;

        int commits() {
            return commits;
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager synchronizations) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager synchronizations,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronizations, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> commits = commits + 1);
        }

        @Override
        protected Mono<Void> doRollback(
                TransactionSynchronizationManager synchronizations, GenericReactiveTransaction status) {
            return Mono.empty();
        }
    }
}
