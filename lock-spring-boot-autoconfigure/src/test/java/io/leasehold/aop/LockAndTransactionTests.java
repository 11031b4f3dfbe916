package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnLost;
import io.leasehold.autoconfigure.JdbcDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import kotlinx.coroutines.flow.StateFlow;
import kotlinx.coroutines.flow.StateFlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;

/** Locks and transactions on a real database. */
@ExtendWith(OutputCaptureExtension.class)
class LockAndTransactionTests {

    @Test
    void theLockIsHeldWhenTheTransactionOfTheMethodCommits() {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.accounts.pay("a", () -> afterCompletion(() -> held.add(app.locker.isHeld("a"))));
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void theLockIsTakenBeforeTheTransactionOfTheMethodBegins() {
        run(app -> {
            List<Boolean> active = new ArrayList<>();
            app.locker.beforeAnswer = () -> active.add(TransactionSynchronizationManager.isActualTransactionActive());
            app.accounts.pay("a", () -> {});
            assertThat(active).containsExactly(false);
        });
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsTheTransactionBack() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.pay("a", () -> app.locker.lose("a")))
                    .satisfies(ex -> assertThat(ex.getSuppressed()).isEmpty());
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aLockThatIsLostInTheLastMomentBeforeTheCommitRollsBackToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.pay("a", () -> beforeCommit(() -> app.locker.lose("a"))));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aLossThatIsOnlyToldDoesNotStopTheCommit() {
        run(app -> {
            app.accounts.payTolerantly("a", () -> app.locker.lose("a"));
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionOfATemplateUnderTheLockIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.locker.executeLocked(
                            "a",
                            () -> app.template.execute(status -> {
                                app.accounts.insert("a");
                                app.locker.lose("a");
                                return "";
                            })));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionThatOnlyReadsIsNotStoppedButTheCallFails() {
        run(app -> {
            List<Integer> statuses = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.read("a", () -> {
                        afterCompletion(statuses);
                        app.locker.lose("a");
                    }));
            assertThat(statuses).containsExactly(TransactionSynchronization.STATUS_COMMITTED);
        });
    }

    @Test
    void aTransactionMarkedForRollbackRollsBackAsEver() {
        run(app -> {
            assertThatExceptionOfType(UnexpectedRollbackException.class)
                    .isThrownBy(() -> app.template.execute(outer -> {
                        app.accounts.pay("a", () -> {});
                        TransactionTemplate inner = new TransactionTemplate(app.manager);
                        return inner.execute(status -> {
                            status.setRollbackOnly();
                            return "";
                        });
                    }));
            assertThat(app.payments()).isZero();
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockIsKeptUntilItHasCommitted() {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.template.executeWithoutResult(status -> {
                app.accounts.pay("a", () -> {});
                held.add(app.locker.isHeld("a"));
                afterCommit(() -> held.add(app.locker.isHeld("a")));
            });
            assertThat(held).containsExactly(true, true);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.locker.granted.get(0).releases()).isEqualTo(1);
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockEndsWithItsRollback() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.pay("a", () -> {});
                status.setRollbackOnly();
            });
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void insideATransactionOfTheCallerAFailedBodyKeepsTheLockUntilTheEnd() {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.template.executeWithoutResult(status -> {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> app.accounts.pay("a", () -> {
                            throw new IllegalStateException("body");
                        }));
                status.setRollbackOnly();
                held.add(app.locker.isHeld("a"));
            });
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void aSecondCallInTheSameTransactionJoinsTheLockThatItKeeps() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.pay("a", () -> {});
                app.accounts.pay("a", () -> {});
            });
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.payments()).isEqualTo(2);
        });
    }

    @Test
    void aCallInANewTransactionJoinsTheLockThatTheSuspendedOneKeeps() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.pay("a", () -> {});
                app.accounts.payInNewTransaction("a", () -> {});
            });
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void theLockOfANewTransactionIsKeptUntilTheSuspendedOneHasEnded() {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.template.executeWithoutResult(status -> {
                app.accounts.payInNewTransaction("a", () -> {});
                held.add(app.locker.isHeld("a"));
            });
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void aNewTransactionIsStoppedIfTheLockOfTheSuspendedOneIsLost() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.pay("a", () -> {});
                        app.accounts.payInNewTransaction("a", () -> app.locker.lose("a"));
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsStoppedIfALockThatItJoinedIsLostAfterTheCall() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.touch("a");
                        app.newTransaction.executeWithoutResult(inner -> {
                            app.accounts.touch("a");
                            app.accounts.insert("a");
                            app.locker.lose("a");
                        });
                    }));
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsStoppedIfALockThatItJoinedIsLostInTheLastMoment() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.touch("a");
                        app.newTransaction.executeWithoutResult(inner -> {
                            app.accounts.touch("a");
                            app.accounts.insert("a");
                            beforeCommit(() -> app.locker.lose("a"));
                        });
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsNotStoppedIfTheLossOfTheLockThatItJoinedIsOnlyTold() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.payTolerantly("a", () -> {});
                app.newTransaction.executeWithoutResult(inner -> {
                    app.accounts.touch("a");
                    app.accounts.insert("a");
                    app.locker.lose("a");
                });
            });
            assertThat(app.payments()).isEqualTo(2);
        });
    }

    @Test
    void aJoinedLockThatNoTransactionKeepsMayEndBeforeTheCommit() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.locker.executeLocked("a", () -> app.accounts.pay("a", () -> {}));
                assertThat(app.locker.isHeld("a")).isFalse();
            });
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aNewTransactionUnderALostLockIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.payInNewTransaction("a", () -> app.locker.lose("a")));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsStoppedIfTheLockIsLostAfterTheCall() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.pay("a", () -> {});
                        app.locker.lose("a");
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsStoppedIfTheLockIsLostInTheLastMoment() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.pay("a", () -> {});
                        beforeCommit(() -> app.locker.lose("a"));
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsNotStoppedIfTheLossIsOnlyTold() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.payTolerantly("a", () -> {});
                app.locker.lose("a");
            });
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aLossThatIsOnlyToldDoesNotStopTheCommitOfAMethodThatReturnsAStage() {
        run(app -> {
            app.accounts.payTolerantlyLater("a", () -> app.locker.lose("a")).join();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aMethodThatReturnsAStageDoesNotParticipateInTheTransactionOfTheCaller() {
        run(app -> app.template.executeWithoutResult(status -> {
            app.accounts.payTolerantlyLater("a", () -> {}).join();
            assertThat(app.locker.isHeld("a")).isFalse();
        }));
    }

    @Test
    void aMethodThatReturnsAStageJoinsTheLockThatTheTransactionKeeps() {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.touch("a");
                app.accounts.payTolerantlyLater("a", () -> {}).join();
                assertThat(app.locker.isHeld("a")).isTrue();
            });
            assertThat(app.locker.requests).hasSize(1);
        });
    }

    @Test
    void aTransactionWithoutSynchronizationUnderTheLockIsStopped() {
        run(app -> {
            ((AbstractPlatformTransactionManager) app.manager)
                    .setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.pay("a", () -> app.locker.lose("a")));
            assertThat(app.payments()).isZero();
        });
    }

    /** Only a declared {@code Mono}, {@code Flux} or {@code Flow} may be of another class. */
    @Test
    void aPublisherOfASpecialTypeKeepsItsType() {
        run(app -> {
            assertThat(app.accounts.shared()).isNotNull();
            assertThat(app.accounts.state().getValue()).isEqualTo(7);
        });
    }

    @Test
    void theNextTransactionOfTheThreadTakesTheLockAnew() {
        run(app -> {
            app.template.executeWithoutResult(status -> app.accounts.pay("a", () -> {}));
            app.template.executeWithoutResult(status -> app.accounts.pay("a", () -> {}));
            assertThat(app.locker.requests).hasSize(2);
        });
    }

    @Test
    void aMethodThatJoinsATransactionUnderALockLeavesTheReleaseToItsOwnOrder() {
        run(app -> {
            LockHandle[] seen = new LockHandle[1];
            app.accounts.pay("a", () -> {
                app.accounts.pay("b", () -> seen[0] = LockContext.current().orElseThrow());
                assertThat(app.locker.isHeld("b")).isTrue();
            });
            assertThat(seen[0].key()).isEqualTo("b");
            assertThat(app.locker.heldCount()).isZero();
        });
    }

    @Test
    void aSoundOrderIsNotWarnedOf(CapturedOutput output) {
        run(app -> assertThat(output).doesNotContain("inside of the method's own transaction"));
    }

    @Test
    void anOrderInsideOfTheTransactionIsWarnedOf(CapturedOutput output) {
        LockedContext.with(TransactionsOutside.class, Beans.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("Accounts.pay(String, Runnable)")
                    .contains("bean 'accounts'")
                    .contains("lock.aspect.order");
        });
    }

    private static void run(Story story) {
        LockedContext.with(Transactions.class, Beans.class).run(context -> story.run(new App(context)));
    }

    private static void beforeCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                action.run();
            }
        });
    }

    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    private static void afterCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        });
    }

    private static void afterCompletion(List<Integer> statuses) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                statuses.add(status);
            }
        });
    }

    interface Story {
        void run(App app) throws Exception;
    }

    static final class App {

        private final Accounts accounts;

        private final RecordingLocker locker;

        private final PlatformTransactionManager manager;

        private final TransactionTemplate template;

        private final TransactionTemplate newTransaction;

        private final JdbcClient jdbc;

        App(AssertableApplicationContext context) {
            this.accounts = context.getBean(Accounts.class);
            this.locker = context.getBean("defaultLocker", RecordingLocker.class);
            this.manager = context.getBean(PlatformTransactionManager.class);
            this.template = new TransactionTemplate(manager);
            this.newTransaction = new TransactionTemplate(manager);
            newTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            this.jdbc = context.getBean(JdbcClient.class);
        }

        int payments() {
            return jdbc.sql("select count(*) from payment").query(Integer.class).single();
        }
    }

    static class Accounts {

        private final JdbcClient jdbc;

        Accounts(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public ConnectableFlux<Integer> shared() {
            return Flux.just(7).publish();
        }

        @Transactional
        public StateFlow<Integer> state() {
            return StateFlowKt.MutableStateFlow(7);
        }

        @DistributedLock("#account")
        @Transactional
        public void pay(String account, Runnable then) {
            insert(account);
            then.run();
        }

        @DistributedLock("#account")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void payInNewTransaction(String account, Runnable then) {
            insert(account);
            then.run();
        }

        @DistributedLock(key = "#account", onLost = OnLost.EVENT)
        @Transactional
        public void payTolerantly(String account, Runnable then) {
            insert(account);
            then.run();
        }

        @DistributedLock(key = "#account", onLost = OnLost.EVENT)
        @Transactional
        public CompletableFuture<Void> payTolerantlyLater(String account, Runnable then) {
            insert(account);
            then.run();
            return CompletableFuture.completedFuture(null);
        }

        @DistributedLock("#account")
        public void touch(String account) {}

        @DistributedLock("#account")
        @Transactional(readOnly = true)
        public void read(String account, Runnable then) {
            then.run();
        }

        void insert(String account) {
            jdbc.sql("insert into payment (account) values (?)").param(account).update();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
    static class TransactionsOutside {}

    @Configuration(proxyBeanMethods = false)
    static class Beans extends JdbcDatabase {

        Beans() {
            super("create table payment (account varchar(40))");
        }

        @Bean
        Accounts accounts(JdbcClient jdbcClient) {
            return new Accounts(jdbcClient);
        }
    }
}
