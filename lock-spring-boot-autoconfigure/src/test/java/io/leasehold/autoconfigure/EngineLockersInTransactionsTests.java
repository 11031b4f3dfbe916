package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Lockers that an application creates from the engine, in transactions of a real database. */
@ExtendWith(OutputCaptureExtension.class)
class EngineLockersInTransactionsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withUserConfiguration(Database.class);

    @Test
    void theLockOfATransactionTemplateEndsAfterTheCommit() {
        runner.withUserConfiguration(Bills.class).run(context -> {
            Locker own = context.getBean("ownLocker", Locker.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                own.lock("bill").close();
                assertThat(isFree(own)).isFalse();
            });
            assertThat(isFree(own)).isTrue();
        });
    }

    @Test
    void theLockOfATransactionalMethodEndsAfterTheCommit() {
        runner.withUserConfiguration(Bills.class).run(context -> {
            Locker own = context.getBean("ownLocker", Locker.class);
            context.getBean(Billing.class).bill(() -> assertThat(isFree(own)).isFalse());
            assertThat(isFree(own)).isTrue();
            assertThat(bills(context)).isEqualTo(1);
        });
    }

    @Test
    void aLossPreventsTheCommit() {
        runner.withUserConfiguration(Bills.class).run(context -> {
            LockEngine engine = context.getBean("leaseholdEngine", LockEngine.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Billing.class).bill(() -> engine.shutdown(Duration.ZERO)));
            assertThat(bills(context)).isZero();
        });
    }

    @Test
    void aLockerThatIsDeclaredAsWhatTheEngineReturnsStaysOutsideWithAWarning(CapturedOutput output) {
        runner.withUserConfiguration(Declared.class).run(context -> {
            assertThat(context.getBean("ownLocker", LeaseLocker.class)).isNotNull();
            assertThat(output)
                    .contains("Locker bean 'ownLocker' is declared as LeaseLocker, and so does not participate in"
                            + " transactions");
        });
    }

    @Test
    void theStatusShowsWhatSuchALockerHolds() {
        runner.withUserConfiguration(Bills.class).run(context -> {
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            try (LockHandle held = context.getBean("ownLocker", Locker.class).lock("bill")) {
                held.requireHeld();
                assertThat(lockers.status("own").held()).hasSize(1);
                assertThat(lockers.status("own").backend()).isNotEqualTo("none");
            }
        });
    }

    /** Each locker has a circuit breaker of its own around the store. */
    @Test
    void inATransactionLockersWithTheSameNamespaceJoinEachOthersLocks() {
        runner.withPropertyValues(
                        "lock.circuit-breaker.enabled=true",
                        "lock.lockers.one.namespace=shop",
                        "lock.lockers.other.namespace=shop")
                .run(context -> {
                    Locker one = context.getBean("oneLocker", Locker.class);
                    Locker other = context.getBean("otherLocker", Locker.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                LockHandle outer = one.lock("bill");
                                assertThat(other.tryLock("bill"))
                                        .get()
                                        .extracting(LockHandle::fencingToken)
                                        .isEqualTo(outer.fencingToken());
                                other.executeLocked("bill", () -> {
                                    assertThat(isFree(one)).isFalse();
                                });
                            });
                    assertThat(isFree(one)).isTrue();
                    assertThat(isFree(other)).isTrue();
                });
    }

    private static int bills(ApplicationContext context) {
        return context.getBean(JdbcClient.class)
                .sql("select count(*) from bill")
                .query(Integer.class)
                .single();
    }

    private static boolean isFree(Locker locker) {
        return CompletableFuture.supplyAsync(() -> {
                    Optional<LockHandle> granted = locker.tryLock("bill");
                    granted.ifPresent(LockHandle::close);
                    return granted.isPresent();
                })
                .join();
    }

    private static LeaseLocker locker(LockEngine engine) {
        return engine.locker(
                LockerSettings.of("own"), "memory", new MemoryLockBackend(System::nanoTime, InstantSource.system()));
    }

    static class Billing {

        private final Locker locker;

        private final JdbcClient jdbc;

        Billing(Locker locker, JdbcClient jdbc) {
            this.locker = locker;
            this.jdbc = jdbc;
        }

        @Transactional
        public void bill(Runnable beforeCommit) throws Exception {
            locker.executeLocked(
                    "bill", () -> jdbc.sql("insert into bill values (1)").update());
            beforeCommit.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Bills {

        @Bean
        Locker ownLocker(@Qualifier("leaseholdEngine") LockEngine engine) {
            return locker(engine);
        }

        @Bean
        Billing billing(@Qualifier("ownLocker") Locker locker, JdbcClient jdbc) {
            return new Billing(locker, jdbc);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Declared {

        @Bean
        LeaseLocker ownLocker(@Qualifier("leaseholdEngine") LockEngine engine) {
            return locker(engine);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Database extends JdbcDatabase {

        Database() {
            super("create table bill (n int)");
        }
    }
}
