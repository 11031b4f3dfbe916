package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.servers.TestImage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** An application whose Redis is a container with {@code @ServiceConnection} locks in it, without a property. */
@Tag("docker")
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
class ServiceConnectionTests {

    private static final int PORT = 6379;

    @Autowired
    private Locker locker;

    @Autowired
    private GenericContainer<?> redis;

    @Test
    void locksAreInTheContainer() throws Exception {
        try (LockHandle handle = locker.lock("key")) {
            assertThat(handle.isHeld()).isTrue();
            assertThat(redis.execInContainer("redis-cli", "KEYS", "*key*").getStdout())
                    .contains("key");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ServiceConnectionAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        LockAutoConfiguration.class
    })
    static class Application {

        @Bean
        @ServiceConnection("redis")
        GenericContainer<?> redis() {
            return new GenericContainer<>(DockerImageName.parse(TestImage.REDIS.tag())).withExposedPorts(PORT);
        }
    }
}
