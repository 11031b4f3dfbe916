package com.example;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockDisabledAutoConfiguration;
import jakarta.annotation.PostConstruct;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Calls woven methods while contexts start, with the aspect and without it; prints the locks of each call. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    LockAutoConfiguration.class,
    LockDisabledAutoConfiguration.class,
    LockAspectAutoConfiguration.class
})
public class WovenStartApplication {

    public static void main(String[] args) {
        try (ConfigurableApplicationContext locked = run()) {
            try (ConfigurableApplicationContext unlocked = run("lock.aspect.enabled=false")) {
                unlocked.getBean(Billing.class).charge("beside");
            }
            locked.getBean(Billing.class).charge("after");
        }
        for (String enabled : new String[] {"true", "false"}) {
            try (ConfigurableApplicationContext unlocked =
                    run("lock.aspect.enabled=false", "lock.enabled=" + enabled, "lock.disabled-mode=run-unlocked")) {
                unlocked.getBean(Billing.class).charge("off");
            }
        }
        try {
            new Billing().charge("closed");
        } catch (IllegalStateException ex) {
            System.out.println("refused: " + ex.getMessage());
        }
    }

    private static ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(WovenStartApplication.class)
                .web(WebApplicationType.NONE)
                .properties(Stream.concat(
                                Stream.of(
                                        "lock.backend=memory",
                                        "lock.aspect.mode=aspectj",
                                        "spring.main.banner-mode=off"),
                                Arrays.stream(properties))
                        .toArray(String[]::new))
                .run();
    }

    @Bean
    Billing billing() {
        return new Billing();
    }

    @Bean
    Start start(Billing billing) {
        return new Start(billing);
    }

    static class Billing {

        @DistributedLock("#user")
        public void charge(String user) {
            System.out.println("charged " + user + " under "
                    + LockContext.all().stream().map(LockHandle::key).toList());
        }
    }

    static class Start implements SmartInitializingSingleton {

        private final Billing billing;

        Start(Billing billing) {
            this.billing = billing;
        }

        @PostConstruct
        void initialize() {
            billing.charge("constructed");
        }

        @Override
        public void afterSingletonsInstantiated() {
            billing.charge("instantiated");
        }
    }
}
