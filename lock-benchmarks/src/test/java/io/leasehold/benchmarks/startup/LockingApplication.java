package io.leasehold.benchmarks.startup;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The same application with a locked method and an injected locker. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class LockingApplication {

    public static void main(String[] arguments) {
        StartUp.measure(
                LockingApplication.class,
                arguments,
                context -> context.getBean(Billing.class).bill("7"));
    }

    @Bean
    Billing billing(Locker defaultLocker) {
        return new Billing(defaultLocker);
    }

    static class Billing {

        private final Locker locker;

        Billing(Locker locker) {
            this.locker = locker;
        }

        @DistributedLock("#user")
        public String bill(String user) {
            return locker.name() + user;
        }
    }
}
