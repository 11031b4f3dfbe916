package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.adapter.integration.LockerLockRegistry;
import io.leasehold.adapter.shedlock.LockerLockProvider;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.integration.support.locks.LockRegistry;

/** The configuration on the page of adapters is all that an application needs. */
class AdaptersPageTests {

    private static final Path PAGE = Path.of("..", "docs", "adapters.md");

    private static final Pattern YAML = Pattern.compile("```yaml\\R(.*?)```", Pattern.DOTALL);

    @Test
    void theConfigurationOfThePagePutsLockersUnderTheLibraries() throws IOException {
        List<PropertySource<?>> blocks = YAML.matcher(Files.readString(PAGE))
                .results()
                .<PropertySource<?>>map(block -> properties(block.group(1)))
                .toList();
        assertThat(blocks).hasSize(3);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockAutoConfiguration.class,
                        LockCacheAutoConfiguration.class,
                        LockIntegrationAutoConfiguration.class,
                        LockShedLockAutoConfiguration.class))
                .withBean(CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues("lock.backend=memory")
                .withInitializer(
                        context -> blocks.forEach(context.getEnvironment().getPropertySources()::addLast))
                .run(context -> {
                    assertThat(context.getBean(LockProvider.class)).isInstanceOf(LockerLockProvider.class);
                    assertThat(context.getBean(LockRegistry.class)).isInstanceOf(LockerLockRegistry.class);
                    assertThat(context.getBean(CacheManager.class)).isInstanceOf(LockingCacheManager.class);
                });
    }

    private static PropertySource<?> properties(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page-" + yaml.hashCode(), new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .get(0);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
