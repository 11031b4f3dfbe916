package io.leasehold.test.autoconfigure;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.locker.LockBackendFactory;
import io.leasehold.autoconfigure.locker.LockEngineFactory;
import io.leasehold.spi.LockBackend;
import io.leasehold.test.TestLocks;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The store and the clock of a test, in place of those of the application. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@Import(TestContextCheck.class)
public final class TestLocksAutoConfiguration {

    /** Not closed with the context: its engine is a bean, which ends first and is closed by then. */
    @Bean(destroyMethod = "")
    TestLocks testLocks() {
        return TestLocks.create();
    }

    @Bean
    LockEngineFactory leaseholdTestEngineFactory(TestLocks locks) {
        return locks::engine;
    }

    @Bean
    LockBackendFactory leaseholdTestBackendFactory(TestLocks locks) {
        return new TestBackendFactory(locks);
    }

    private record TestBackendFactory(TestLocks locks) implements LockBackendFactory {

        @Override
        public String backend() {
            return TestLocks.BACKEND;
        }

        @Override
        public boolean replacesOthers() {
            return true;
        }

        @Override
        public boolean hasConnections() {
            return false;
        }

        @Override
        public String setBy() {
            return "'@AutoConfigureTestLocks'";
        }

        @Override
        public LockBackend create() {
            return locks.backend();
        }
    }
}
