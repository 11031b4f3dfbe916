package com.example;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockDisabledAutoConfiguration;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Calls woven methods while contexts start and stop beside others; prints the context that locks each call. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    LockAutoConfiguration.class,
    LockDisabledAutoConfiguration.class,
    LockAspectAutoConfiguration.class
})
public class WovenContextsApplication {

    private static @Nullable LockerRegistry first;

    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = run()) {
            first = context.getBean(LockerRegistry.class);
            try (ConfigurableApplicationContext second = run()) {
                call("open");
                second.stop();
                call("stopped");
                second.start();
                call("restarted");
            }
            call("closed");
            context.stop();
            System.out.println("call: beside a stopped context");
            try (ConfigurableApplicationContext third = run()) {
                third.getBean(Calls.class).call("third");
            }
        }
        first = null;
        System.out.println("call: with a context that is switched off");
        try (ConfigurableApplicationContext off = run("lock.aspect.enabled=false")) {
            try (ConfigurableApplicationContext on = run()) {
                on.getBean(Calls.class).call("beside");
            }
            off.getBean(Calls.class).call("alone");
        }
    }

    private static ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(WovenContextsApplication.class)
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

    private static void call(String name) {
        try {
            new Billing().charge(name);
        } catch (RuntimeException ex) {
            System.out.println("call: " + name + " refused");
        }
    }

    @Bean
    static BeanPostProcessor early() {
        call("early");
        return new BeanPostProcessor() {};
    }

    @Bean
    Calls calls() {
        return new Calls();
    }

    static class Billing {

        @DistributedLock("#user")
        public void charge(String user) {
            boolean ofTheFirst =
                    first != null && !first.status("default").held().isEmpty();
            System.out.println("call: " + user + " under "
                    + LockContext.all().stream().map(LockHandle::key).toList() + (ofTheFirst ? " of the first" : ""));
        }
    }

    static class Calls {

        void call(String name) {
            WovenContextsApplication.call(name);
        }

        @PostConstruct
        void construct() {
            call("constructed");
        }

        @PreDestroy
        void destroy() {
            call("destroyed");
        }
    }
}
