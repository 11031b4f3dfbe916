package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Commands of a client that has lost its connection. */
class DisconnectedClientTests {

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        redis.close();
    }

    static Stream<ClientOptions> optionsOfTheApplication() {
        return Stream.of(
                ClientOptions.builder().requestQueueSize(5).build(),
                ClientOptions.builder()
                        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                        .build());
    }

    /** The engine removes what an acquisition of unknown effect may have left. Here nothing was sent. */
    @ParameterizedTest
    @MethodSource("optionsOfTheApplication")
    void aCommandThatTheClientRefusesWasNotDone(ClientOptions options) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
                LettuceClientConfiguration.builder().clientOptions(options).build());
        factory.afterPropertiesSet();
        factory.start();
        LockBackend backend =
                RedisLockBackend.of(factory, RedisLockOptions.defaults().withFastPath(false));
        try {
            acquire(backend, 0).join();
            redis.stop();
            List<CompletableFuture<AcquireAnswer>> refused = new ArrayList<>();
            await().until(() -> {
                CompletableFuture<AcquireAnswer> answer = acquire(backend, 1);
                if (answer.isCompletedExceptionally() && !isOfTheBrokenConnection(answer)) {
                    refused.add(answer);
                }
                return !refused.isEmpty();
            });
            assertThat(catchThrowable(refused.get(0)::join))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE));
            redis.restart();
            await().untilAsserted(() -> assertThat(acquire(backend, 2)).succeedsWithin(Duration.ofSeconds(5)));
        } finally {
            backend.close();
            factory.destroy();
        }
    }

    private static CompletableFuture<AcquireAnswer> acquire(LockBackend backend, int key) {
        return backend.acquire(new AcquireCommand(
                        LockId.of("deploy", "k" + key), new Token(key, key), Duration.ofSeconds(3), 1, false))
                .toCompletableFuture();
    }

    /** A command that was written before the client noticed the end of the connection. */
    private static boolean isOfTheBrokenConnection(CompletableFuture<?> answer) {
        return !String.valueOf(catchThrowable(answer::join)).contains("ommands are");
    }
}
