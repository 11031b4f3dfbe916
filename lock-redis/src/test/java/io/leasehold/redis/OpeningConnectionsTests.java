package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.redis.lettuce.LettuceClientAdapter;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;

/** The connections of a backend over Lettuce while they are opened. */
class OpeningConnectionsTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Instance INSTANCE = new Instance(1, "here");

    private final RedisServer redis = RedisServer.start();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    private final RedisClient client = RedisClient.of(proxy.port());

    @AfterEach
    void close() {
        proxy.pass();
        client.close();
        proxy.close();
        redis.close();
    }

    @Test
    void aConnectionThatRedisRefusesLeavesNoOtherOneBehind() {
        try (LockBackend backend = backend(1);
                RedisClient operator = RedisClient.of(redis.port());
                RedisConnection operation = operator.factory().getConnection()) {
            StoreClient.await(backend.introduce(INSTANCE));
            int room = clients("").size();
            operation.serverCommands().setConfig("maxclients", Integer.toString(room));
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> backend.connect().toCompletableFuture().join())
                        .hasMessageContaining("maxclients");
            }
            operation.serverCommands().setConfig("maxclients", "100");
            StoreClient.await(backend.connect());
            assertThat(clients(" name=leasehold ")).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aConnectionThatIsBeingOpenedDoesNotSurviveTheBackend(int minReplicas) {
        LockBackend backend = backend(minReplicas);
        proxy.set(FaultMode.STALL);
        CompletableFuture<Void> connecting = backend.connect().toCompletableFuture();
        await().atMost(DEADLINE).until(() -> proxy.held() > 0);
        backend.close();
        proxy.pass();
        assertThat(connecting).failsWithin(DEADLINE);
        await().atMost(DEADLINE).until(() -> clients(" name=leasehold ").isEmpty());
        assertThat(backend.introduce(INSTANCE).toCompletableFuture()).failsWithin(DEADLINE);
        assertThat(clients(" name=leasehold ")).isEmpty();
    }

    /** A waiting caller may ask for the subscription at any time. */
    @Test
    void aClosedClientHasNoSubscription() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        LettuceClientAdapter adapter = LettuceClientAdapter.like(
                client.factory(), byDefault -> new RequiredReplicas(byDefault, Duration.ofSeconds(1)));
        assertThat(adapter.openSubscription()).succeedsWithin(DEADLINE).isNotNull();
        adapter.close();
        await().atMost(DEADLINE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .allMatch(thread ->
                                before.contains(thread) || !thread.getName().startsWith("lettuce-")));
        assertThat(adapter.openSubscription()).succeedsWithin(DEADLINE).isNull();
    }

    @Test
    void anInterruptedThreadClosesAllConnections() {
        LockBackend backend = backend(0);
        StoreClient.await(backend.connect());
        assertThat(clients(" name=leasehold ")).isNotEmpty();
        Thread.currentThread().interrupt();
        backend.close();
        assertThat(Thread.interrupted()).isTrue();
        await().atMost(DEADLINE).until(() -> clients(" name=leasehold ").isEmpty());
    }

    private LockBackend backend(int minReplicas) {
        return RedisLockBackend.of(client.factory(), RedisLockOptions.defaults().withMinReplicas(minReplicas));
    }

    private List<String> clients(String part) {
        return String.valueOf(redis.command("CLIENT", "LIST", "TYPE", "normal"))
                .lines()
                .filter(line -> line.contains(part))
                .toList();
    }
}
