package com.example;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** A woven method that is also executed asynchronously by a proxy. Prints the reason why the application does not start. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAsync
@ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class})
public class WovenAsyncApplication {

    public static void main(String[] args) {
        SpringApplication application = new SpringApplicationBuilder(WovenAsyncApplication.class)
                .web(WebApplicationType.NONE)
                .properties("lock.backend=memory", "lock.aspect.mode=aspectj", "spring.main.banner-mode=off")
                .build();
        try {
            application.run(args).close();
        } catch (RuntimeException ex) {
            System.out.println("refused: " + ex.getMessage());
        }
    }

    @Bean
    Billing billing() {
        return new Billing();
    }

    static class Billing {

        @Async
        @DistributedLock("#user")
        public CompletableFuture<String> charge(String user) {
            return CompletableFuture.completedFuture(user);
        }
    }
}
