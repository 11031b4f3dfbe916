package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The report of locked methods at start-up. */
@ExtendWith(OutputCaptureExtension.class)
class LockReportTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues("lock.backend=memory", "lock.lockers.billing.ttl=30s");

    @Test
    void atDebugLevelEachLockedMethodIsListedOnceWithLockerBackendKeyTermsAndOrder(CapturedOutput output) {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel("io.leasehold.report", LogLevel.DEBUG);
        try {
            runner.run(context -> assertThat(context).hasNotFailed());
        } finally {
            logging.setLogLevel("io.leasehold.report", null);
        }
        assertThat(output.toString().replaceAll("\\R", "\n"))
                .containsOnlyOnce("LOCKED METHODS REPORT")
                .contains("   invoices (" + Invoices.class.getName() + ")")
                .contains("""
                        Invoices.print(String)
                                 locker  billing (memory)
                                 key     #id
                                 terms   waitTime=PT5S, onFailure=THROW, onLost=THROW
                                 advice  [lock], GuardedTransactionInterceptor
                        """.indent(0).stripTrailing())
                .contains("         key     'reports'")
                .contains("         advice  not created yet");
    }

    @Test
    void otherwiseThereIsNoReport(CapturedOutput output) {
        runner.run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("LOCKED METHODS REPORT");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Application {

        @Bean
        Invoices invoices() {
            return new Invoices();
        }

        @Bean
        @Lazy
        Reports reports() {
            return new Reports();
        }
    }

    static class Invoices {

        @Transactional
        @DistributedLock(locker = "billing", key = "#id", waitTime = "5s")
        public void print(String id) {}
    }

    static class Reports {

        @DistributedLock(key = "'reports'")
        public void write() {}
    }
}
