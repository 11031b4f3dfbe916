package io.leasehold.architecture;

import io.leasehold.annotation.DistributedLock;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application in a process of its own that calls an annotated method between two marks; see {@link CallPathTests}.
 */
final class AnnotatedCall {

    private static final int WARM_UP = 20;

    private AnnotatedCall() {}

    /**
     * Calls an annotated method.
     *
     * @param properties of the application
     */
    public static void main(String[] properties) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(properties)
                .run()) {
            Service service = context.getBean(Service.class);
            for (int call = 0; call < WARM_UP; call++) {
                service.work("warm-up-" + call);
            }
            mark();
            service.work("marked");
            mark();
        }
    }

    private static void mark() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {

        @DistributedLock(key = "#key")
        public int work(String key) {
            return key.length();
        }
    }
}
