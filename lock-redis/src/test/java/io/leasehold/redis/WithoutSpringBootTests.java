package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** The examples of docs/without-spring.md run, and are the methods of this class. */
class WithoutSpringBootTests {

    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "leasehold", "redis", "WithoutSpringBootTests.java");

    private final List<Long> printed = new ArrayList<>();

    @Test
    void inMemory() {
        try (LockBackend store = new MemoryLockBackend(System::nanoTime, InstantSource.system());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            Locker locker = engine.locker(LockerSettings.of("billing"), "memory", store);
            try (LockHandle lock = locker.lock("invoice-7")) {
                print(lock.fencingToken());
            }
        }
        assertThat(printed).hasSize(1);
    }

    @Test
    void inRedis() {
        String host = RedisServer.shared().host();
        int port = RedisServer.shared().port();
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(host, port);
        LettuceClientConfiguration client = LettuceClientConfiguration.defaultConfiguration();
        try (LockBackend store = RedisLockBackend.of(server, client, RedisLockOptions.defaults());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            Locker locker =
                    engine.locker(LockerSettings.of("billing").withWaitTime(Duration.ofMinutes(1)), "redis", store);
            try (LockHandle lock = locker.lock("invoice-7")) {
                print(lock.fencingToken());
            }
        }
        assertThat(printed).hasSize(1);
    }

    @Test
    void thePageHasTheCodeOfTheseMethods() throws IOException {
        String source = withoutIndentation(Files.readString(SOURCE));
        List<String> examples = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", "without-spring.md")))
                .results()
                .map((MatchResult example) -> withoutIndentation(example.group(1)))
                .toList();
        assertThat(examples).hasSize(2).allSatisfy(example -> assertThat(source).contains(example));
    }

    private void print(long fencingToken) {
        printed.add(fencingToken);
    }

    private static String withoutIndentation(String code) {
        return code.replaceAll("(?m)^ +", "");
    }
}
