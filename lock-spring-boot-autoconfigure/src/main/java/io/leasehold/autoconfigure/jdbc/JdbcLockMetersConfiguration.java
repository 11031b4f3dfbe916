package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLockBackend;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of the connections of locks in databases. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcLockBackend.class)
public class JdbcLockMetersConfiguration {

    @Bean
    JdbcLockMeters leaseholdJdbcMeters(MeterRegistry meters) {
        return new JdbcLockMeters(meters);
    }
}
