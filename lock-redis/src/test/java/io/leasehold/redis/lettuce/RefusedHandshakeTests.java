package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that does not know the user, and the reason that a closed connection has afterwards. */
class RefusedHandshakeTests {

    private static final RedisURI SERVER =
            RedisURI.create("127.0.0.1", RedisServer.shared().port());

    private static final RedisURI UNKNOWN_USER =
            RedisURI.builder(SERVER).withAuthentication("unknown", "secret").build();

    private final AtomicLong now = new AtomicLong();

    private final RefusedHandshake refused = new RefusedHandshake(now::get);

    private final ClientResources resources = LockClientConfiguration.resources(Optional.empty(), refused);

    private final RedisClient client = RedisClient.create(resources);

    @AfterEach
    void close() {
        client.shutdown();
        resources.shutdown(0, 5, TimeUnit.SECONDS);
    }

    @Test
    void aRefusalIsTheReasonUntilTheServerAcceptsTheUser() {
        refuse();
        client.connect(SERVER).close();
        await().atMost(Duration.ofSeconds(30)).until(() -> refused.failure() == null);
    }

    /** As after a failover, or if the server is not reached any more. A server that refuses does so all the time. */
    @Test
    void aRefusalThatIsNotRepeatedIsNotTheReasonOfALaterFailure() {
        refuse();
        now.addAndGet(TimeUnit.SECONDS.toNanos(4));
        assertThat(refused.failure()).isNotNull();
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(refused.failure()).isNull();
        refuse();
    }

    private void refuse() {
        assertThat(catchThrowable(() -> client.connect(UNKNOWN_USER))).hasStackTraceContaining("WRONGPASS");
        await().atMost(Duration.ofSeconds(30)).until(() -> refused.failure() != null);
        assertThat(refused.failure()).hasMessageContaining("WRONGPASS");
    }
}
