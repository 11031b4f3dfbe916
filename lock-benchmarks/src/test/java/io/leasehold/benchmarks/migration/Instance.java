package io.leasehold.benchmarks.migration;

import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** One running instance of an application, over a Redis that all instances share. */
final class Instance implements AutoCloseable {

    static final Path PAGE = Path.of("..", "docs", "migrating.md");

    private static final Pattern YAML = Pattern.compile("```yaml\\R(.*?)```", Pattern.DOTALL);

    private final ConfigurableApplicationContext context;

    private Instance(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Instance start(Class<?>... beans) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "spring.data.redis.host=" + RedisServer.shared().host(),
                        "spring.data.redis.port=" + RedisServer.shared().port(),
                        "lock.lockers.orders.ttl=30s");
        for (Class<?> bean : beans) {
            application.sources(bean);
        }
        return new Instance(application
                .initializers(
                        context -> context.getEnvironment().getPropertySources().addLast(ofPage()))
                .run());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }

    /** The only configuration of the page. */
    private static PropertySource<?> ofPage() {
        try {
            Matcher yaml = YAML.matcher(Files.readString(PAGE));
            if (!yaml.find()) {
                throw new IllegalStateException(PAGE + " has no configuration");
            }
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.group(1).getBytes(StandardCharsets.UTF_8)))
                    .get(0);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
