package com.example;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The example of docs/spring.md. Run in a JVM of its own with AspectJ's agent; prints the locks of each call. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class})
public class WovenApplication {

    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WovenApplication.class)
                .web(WebApplicationType.NONE)
                .properties("lock.backend=memory", "lock.aspect.mode=aspectj", "spring.main.banner-mode=off")
                .run(args)) {
            context.getBean(Billing.class).bill(List.of("alice", "bob"));
            new Billing().bill(List.of("no bean"));
        }
    }

    @Bean
    Billing billing() {
        return new Billing();
    }

    @Bean
    Import files() {
        return new Import();
    }

    static class Billing {

        public void bill(List<String> users) {
            users.forEach(this::charge);
        }

        @DistributedLock("#user")
        private void charge(String user) {
            System.out.println("charged under "
                    + LockContext.all().stream().map(LockHandle::key).toList());
        }
    }

    /** With a method whose name ends like the one that the weaver generates. */
    static class Import {

        @DistributedLock("'import'")
        public void load() {}

        static void reload_aroundBody0() {}
    }
}
