package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.ParentContextTests.ReactiveTransactions;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Operators of reactive transactions whose class is the application's own, and is the type of an injection point. */
@ExtendWith(OutputCaptureExtension.class)
class OwnTransactionalOperatorTests {

    @ParameterizedTest
    @EnumSource
    void aTransactionDoesNotCommitAfterALoss(Call call) {
        LockedContext.with(OwnOperator.class, Payments.class, ReactiveTransactions.class)
                .run(context -> {
                    Payments payments = context.getBean(Payments.class);
                    RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
                    payments.pay(call, Mono.empty()).block(Duration.ofSeconds(10));
                    assertThat(context.getBean(ReactiveTransactions.class).commits())
                            .isEqualTo(1);
                    assertThatExceptionOfType(LockLostException.class)
                            .isThrownBy(() -> payments.pay(call, Mono.fromRunnable(() -> locker.lose("a")))
                                    .block(Duration.ofSeconds(10)));
                    assertThat(context.getBean(ReactiveTransactions.class).commits())
                            .isEqualTo(1);
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalOperator.class, OperatorWithFinalMethod.class})
    void aClassThatCannotBeExtendedIsGuardedAndNamedInAWarning(Class<?> type, CapturedOutput output) {
        LockedContext.with(type, ReactiveTransactions.class).run(context -> {
            assertThat(context.getBean(TransactionalOperator.class)).isNotInstanceOf(type);
            assertThat(output)
                    .contains("'" + context.getBeanNamesForType(TransactionalOperator.class)[0] + "' cannot be")
                    .contains("injected as a " + type.getName())
                    .contains("make the class and its methods neither final");
        });
    }

    enum Call {
        MONO {
            @Override
            Mono<Void> transaction(TransactionalOperator operator, Mono<Void> work) {
                return operator.transactional(work);
            }
        },
        FLUX {
            @Override
            Mono<Void> transaction(TransactionalOperator operator, Mono<Void> work) {
                return operator.transactional(work.flux()).then();
            }
        },
        CALLBACK {
            @Override
            Mono<Void> transaction(TransactionalOperator operator, Mono<Void> work) {
                return operator.execute(status -> work).then();
            }
        };

        abstract Mono<Void> transaction(TransactionalOperator operator, Mono<Void> work);
    }

    static class Payments {

        private final OwnOperator operator;

        Payments(OwnOperator operator) {
            this.operator = operator;
        }

        @DistributedLock("'a'")
        public Mono<Void> pay(Call call, Mono<Void> work) {
            return call.transaction(operator, work);
        }
    }

    static class OwnOperator implements TransactionalOperator {

        private final TransactionalOperator delegate;

        OwnOperator(ReactiveTransactionManager manager) {
            this.delegate = TransactionalOperator.create(manager);
        }

        @Override
        public <T> Mono<T> transactional(Mono<T> mono) {
            return delegate.transactional(mono);
        }

        @Override
        public <T> Flux<T> execute(TransactionCallback<T> action) {
            return delegate.execute(action);
        }
    }

    static final class FinalOperator extends OwnOperator {

        FinalOperator(ReactiveTransactionManager manager) {
            super(manager);
        }
    }

    static class OperatorWithFinalMethod extends OwnOperator {

        OperatorWithFinalMethod(ReactiveTransactionManager manager) {
            super(manager);
        }

        @Override
        public final <T> Mono<T> transactional(Mono<T> mono) {
            return super.transactional(mono);
        }
    }
}
