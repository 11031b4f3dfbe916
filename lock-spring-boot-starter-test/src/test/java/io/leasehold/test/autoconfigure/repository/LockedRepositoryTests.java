package io.leasehold.test.autoconfigure.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.test.Disturbance;
import io.leasehold.test.TestLocks;
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Locked methods of a Spring Data repository: a query of its own, and a method of its base class. The tests have no
 * transaction, which would keep the locks until its end.
 */
@DataJpaTest
@Transactional(propagation = Propagation.NOT_SUPPORTED)
@AutoConfigureTestLocks
class LockedRepositoryTests {

    @Autowired
    private Accounts accounts;

    @Autowired
    private TestLocks locks;

    @Test
    void aQueryRunsUnderItsLock() {
        accounts.save(new Account("a", 7));
        Disturbance elsewhere = locks.holdElsewhere("a");
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> accounts.deposit("a", 3));
        elsewhere.close();
        assertThat(accounts.balance("a")).isEqualTo(7);
        assertThat(accounts.deposit("a", 3)).isEqualTo(1);
        assertThat(accounts.balance("a")).isEqualTo(10);
    }

    @Test
    void aMethodOfTheBaseClassRunsUnderItsLock() {
        Disturbance elsewhere = locks.holdElsewhere("b");
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> accounts.save(new Account("b", 7)));
        elsewhere.close();
        assertThat(accounts.existsById("b")).isFalse();
        accounts.save(new Account("b", 7));
        assertThat(accounts.existsById("b")).isTrue();
    }

    @SpringBootApplication
    @EnableJpaRepositories(considerNestedRepositories = true)
    static class Bank {}

    interface Accounts extends JpaRepository<Account, String> {

        @Override
        @DistributedLock(key = "#entity.id", waitTime = "0")
        <S extends Account> S save(S entity);

        @Transactional
        @Modifying
        @Query("update Account a set a.balance = a.balance + :amount where a.id = :id")
        @DistributedLock(key = "#id", waitTime = "0")
        int deposit(String id, long amount);

        @Query("select a.balance from Account a where a.id = :id")
        long balance(String id);
    }

    @Entity(name = "Account")
    static class Account {

        @Id
        private String id;

        private long balance;

        protected Account() {}

        Account(String id, long balance) {
            this.id = id;
            this.balance = balance;
        }

        public String getId() {
            return id;
        }
    }
}
