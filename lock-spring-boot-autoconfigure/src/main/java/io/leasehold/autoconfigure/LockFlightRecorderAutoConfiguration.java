package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.jfr.FlightRecorderLockListener;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Events of locks for the Flight Recorder, unless the runtime image lacks the module {@code jdk.jfr}. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(name = "jdk.jfr.Event")
@ConditionalOnBean(LockBackends.class)
public final class LockFlightRecorderAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FlightRecorderLockListener leaseholdFlightRecorderListener() {
        return new FlightRecorderLockListener();
    }
}
