package io.leasehold.benchmarks.startup;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application without locks. It refers to no class of this library. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {

    public static void main(String[] arguments) {
        StartUp.measure(
                PlainApplication.class,
                arguments,
                context -> context.getBean(Billing.class).bill("7"));
    }

    @Bean
    Billing billing() {
        return new Billing();
    }

    static class Billing {

        public String bill(String user) {
            return user;
        }
    }
}
