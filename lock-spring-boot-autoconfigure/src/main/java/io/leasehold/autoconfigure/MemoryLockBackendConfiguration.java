package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The {@code memory} backend. It is used only if it is named, and logs its limits at start-up. */
@Configuration(proxyBeanMethods = false)
class MemoryLockBackendConfiguration {

    @Bean
    MemoryLockBackendFactory leaseholdMemoryBackendFactory() {
        return new MemoryLockBackendFactory();
    }

    static final class MemoryLockBackendFactory implements LockBackendFactory {

        private static final Logger log = LoggerFactory.getLogger(MemoryLockBackendFactory.class);

        @Override
        public String backend() {
            return BackendType.MEMORY.backend();
        }

        @Override
        public boolean hasConnections() {
            return false;
        }

        @Override
        public String setBy() {
            return "'lock.backend'";
        }

        @Override
        public LockBackend create() {
            log.warn("Backend 'memory' locks within this JVM only: another instance of the application gets the same"
                    + " locks at the same time");
            return new MemoryLockBackend(StoreClock::nanos, StoreClock.wall());
        }
    }
}
