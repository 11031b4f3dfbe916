package io.leasehold.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A command that is cancelled before Redis answers that it does not know the script. The script is not sent then. */
class CancelledCommandTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final RedisServer redis = RedisServer.start();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    @AfterEach
    void close() {
        proxy.close();
        redis.close();
    }

    @Test
    void overLettuce() {
        try (RedisClient client = RedisClient.of(proxy.port())) {
            assertThatNothingIsSent(client.factory());
        }
    }

    @Test
    void overJedis() {
        JedisConnectionFactory factory =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", proxy.port()));
        factory.afterPropertiesSet();
        factory.start();
        try {
            assertThatNothingIsSent(factory);
        } finally {
            factory.destroy();
        }
    }

    private void assertThatNothingIsSent(RedisConnectionFactory factory) {
        RedisLockOptions plain = RedisLockOptions.defaults().withFastPath(false);
        try (LockBackend backend = RedisLockBackend.of(factory, plain)) {
            StoreClient store = new StoreClient(backend, "cancelled");
            Instance instance = new Instance(1, "here");
            StoreClient.await(backend.introduce(instance));
            redis.command("CONFIG", "RESETSTAT");
            proxy.set(FaultMode.STALL_REPLIES);
            CompletableFuture<AcquireAnswer> asked = backend.acquire(
                            new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            await().atMost(DEADLINE).until(() -> count("INFO", "errorstat_NOSCRIPT:count=1"));
            asked.cancel(true);
            proxy.pass();
            // the connection of the cancelled command answers these after it
            for (int i = 0; i < 20; i++) {
                StoreClient.await(backend.introduce(instance));
            }
            await().during(Duration.ofMillis(200))
                    .atMost(DEADLINE)
                    .until(() -> redis.command("KEYS", "cancelled:*").equals(List.of()));
        }
    }

    private boolean count(String command, String text) {
        return Pattern.compile(text)
                .matcher(String.valueOf(redis.command(command, "errorstats")))
                .find();
    }
}
