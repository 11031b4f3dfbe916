package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockContext;
import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.fencing.FencedGuard;
import io.leasehold.fencing.StaleFencingTokenException;
import io.leasehold.jpa.Account;
import io.leasehold.jpa.JpaDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks around transactions of JPA, which writes only when it commits. */
@Timeout(60)
class LockAndJpaTests {

    private static AnnotationConfigApplicationContext context;

    @BeforeAll
    static void start() {
        context = new AnnotationConfigApplicationContext(
                AopTestConfiguration.class, LockedContext.ClassProxies.class, JpaDatabase.class, Beans.class);
        JdbcClient.create(context.getBean(DataSource.class))
                .sql("alter table account add fence bigint")
                .update();
    }

    @AfterAll
    static void close() {
        context.close();
    }

    @Test
    void theLockIsHeldWhenTheTransactionHasWrittenAndCommitted() throws Exception {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.accounts.add(7, () -> afterCompletion(() -> held.add(app.locker.isHeld("it") && app.amount() == 7)));
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("it")).isFalse();
        });
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsBack() throws Exception {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.add(7, () -> app.locker.lose("it")));
            assertThat(app.amount()).isZero();
        });
    }

    /** What is pending is written by the commit, and may wait for a row that another transaction has locked. */
    @Test
    void aLockThatIsLostWhileTheCommitWritesRollsBack() throws Exception {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.addAndWhenWritten(7, () -> app.locker.lose("it")));
            assertThat(app.amount()).isZero();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(
                            status -> app.accounts.addAndWhenWritten(7, () -> app.locker.lose("it"))));
            assertThat(app.amount()).isZero();
        });
    }

    /** Its session is closed when the locks are checked. */
    @Test
    void aTransactionOfJdbcCommitsThatReadsWithAnEntityManager() throws Exception {
        JdbcTransactionManager manager = (JdbcTransactionManager) context.getAutowireCapableBeanFactory()
                .initializeBean(new JdbcTransactionManager(context.getBean(DataSource.class)), "jdbc");
        EntityManager shared =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        run(app -> {
            app.locker.executeLocked(
                    "it",
                    () -> new TransactionTemplate(manager).executeWithoutResult(status -> {
                        assertThat(shared.find(Account.class, "it").amount()).isZero();
                        app.jdbc.sql("update account set amount = 7").update();
                    }));
            assertThat(app.amount()).isEqualTo(7);
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockIsKeptUntilItHasCommitted() throws Exception {
        run(app -> {
            List<Boolean> held = new ArrayList<>();
            app.template.executeWithoutResult(status -> {
                app.accounts.add(7, () -> {});
                afterCommit(() -> held.add(app.locker.isHeld("it") && app.amount() == 7));
            });
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("it")).isFalse();
        });
    }

    @Test
    void theTransactionOfTheCallerIsStoppedIfTheLockIsLostAfterTheCall() throws Exception {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.template.executeWithoutResult(status -> {
                        app.accounts.add(7, () -> {});
                        app.locker.lose("it");
                    }));
            assertThat(app.amount()).isZero();
        });
    }

    @Test
    void aNewTransactionUnderALostLockIsStopped() throws Exception {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.addInNewTransaction(7, () -> app.locker.lose("it")));
            assertThat(app.amount()).isZero();
        });
    }

    @Test
    void aNewTransactionInsideOfAnotherCommitsUnderTheLock() throws Exception {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.addInNewTransaction(7, () -> {});
                assertThat(app.amount()).isEqualTo(7);
                assertThat(app.locker.isHeld("it")).isTrue();
                status.setRollbackOnly();
            });
            assertThat(app.amount()).isEqualTo(7);
            assertThat(app.locker.isHeld("it")).isFalse();
        });
    }

    @Test
    void aTransactionMarkedForRollbackEndsTheLock() throws Exception {
        run(app -> {
            app.template.executeWithoutResult(status -> {
                app.accounts.add(7, () -> {});
                status.setRollbackOnly();
            });
            assertThat(app.amount()).isZero();
            assertThat(app.locker.isHeld("it")).isFalse();
        });
    }

    @Test
    void aTransactionThatOnlyReadsCommitsButTheCallFails() throws Exception {
        run(app -> {
            List<Integer> ends = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.read(() -> {
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCompletion(int status) {
                                ends.add(status);
                            }
                        });
                        app.locker.lose("it");
                    }));
            assertThat(ends).containsExactly(TransactionSynchronization.STATUS_COMMITTED);
        });
    }

    @Test
    void aGuardedEntityRefusesAnOlderHolder() throws Exception {
        run(app -> {
            app.accounts.addGuarded(7);
            app.jdbc.sql("update account set fence = fence + 1000").update();
            assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> app.accounts.addGuarded(7));
            assertThat(app.amount()).isEqualTo(7);
        });
    }

    private static void run(Story story) throws Exception {
        App app = new App(context);
        app.jdbc.sql("update account set amount = 0, fence = null").update();
        story.run(app);
        assertThat(app.locker.heldCount()).isZero();
    }

    private static void afterCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
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

    interface Story {
        void run(App app) throws Exception;
    }

    static final class App {

        private final Accounts accounts;

        private final RecordingLocker locker;

        private final TransactionTemplate template;

        private final JdbcClient jdbc;

        App(ApplicationContext context) {
            this.accounts = context.getBean(Accounts.class);
            this.locker = context.getBean("defaultLocker", RecordingLocker.class);
            this.template = new TransactionTemplate(context.getBean(JpaTransactionManager.class));
            this.jdbc = JdbcClient.create(context.getBean(DataSource.class));
        }

        /** What others see. */
        int amount() {
            TransactionTemplate another = new TransactionTemplate(template.getTransactionManager());
            another.setPropagationBehavior(TransactionTemplate.PROPAGATION_NOT_SUPPORTED);
            return another.execute(status ->
                    jdbc.sql("select amount from account").query(Integer.class).single());
        }
    }

    static class Accounts {

        @PersistenceContext
        private EntityManager entities;

        private final FencedGuard guard = new FencedGuard("account", "id", "fence");

        @DistributedLock("'it'")
        @Transactional
        public void add(int more, Runnable then) {
            entities.find(Account.class, "it").add(more);
            then.run();
        }

        @DistributedLock("'it'")
        @Transactional
        public void addAndWhenWritten(int more, Runnable action) {
            Account account = entities.find(Account.class, "it");
            account.whenWritten(action);
            account.add(more);
        }

        @DistributedLock("'it'")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void addInNewTransaction(int more, Runnable then) {
            entities.find(Account.class, "it").add(more);
            then.run();
        }

        @DistributedLock("'it'")
        @Transactional(readOnly = true)
        public void read(Runnable then) {
            entities.find(Account.class, "it");
            then.run();
        }

        @DistributedLock("'it'")
        @Transactional
        public void addGuarded(int more) {
            long token = LockContext.current().orElseThrow().fencingToken();
            entities.unwrap(Session.class).doWork(connection -> guard.enter(connection, "it", token));
            entities.find(Account.class, "it").add(more);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Accounts accounts() {
            return new Accounts();
        }
    }
}
