package io.leasehold.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/** Says once that locks are switched off: nothing else would tell that annotated methods run unlocked. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "lock.enabled", havingValue = false)
public final class LockDisabledAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(LockDisabledAutoConfiguration.class);

    @Bean
    SmartInitializingSingleton lockDisabledWarning() {
        return () -> log.warn("'lock.enabled' is false: there are no lockers, and methods with @DistributedLock run"
                + " without a lock, on all instances at the same time");
    }
}
