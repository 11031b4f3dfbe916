package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.Token;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of a lock whose content does not come from the scripts. */
class UnusualKeysTests {

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final LockBackend backend = RedisLocking.readyForWaiters(client.factory(), RedisLockOptions.defaults());

    private final StoreClient store = new StoreClient(backend, "odd");

    private final LockId id = store.id("a");

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        backend.close();
        client.close();
    }

    @Test
    void aCounterThatIsNoNumberIsRefusedAndTakesNoLock() {
        redis.command("SET", "{odd:a}:fence", "text");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.grant("a"))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("WRONGTYPE the fencing counter is not a number");
            assertThat(redis.command("EXISTS", "odd:a")).isEqualTo(0L);
        }
        redis.command("DEL", "{odd:a}:fence");
        assertThat(store.release(store.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    void aWaiterWhoseLockArrivedLateLeavesTheQueueWhenItIsGranted() {
        Token token = queued();
        redis.command("SET", "odd:a", token.valueWithHolder());
        assertThat(store.acquire(new AcquireCommand(id, token, StoreClient.LONG, 1, true)))
                .isInstanceOf(Granted.class);
        assertThat(redis.command("EXISTS", "{odd:a}:queue")).isEqualTo(0L);
    }

    @Test
    void aWaiterWhoseLockArrivedLateLeavesTheQueueWhenItIsRemoved() {
        Token token = queued();
        redis.command("SET", "odd:a", token.valueWithHolder());
        assertThat(store.release(id, token, Duration.ZERO)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(redis.command("EXISTS", "{odd:a}:queue", "odd:a")).isEqualTo(0L);
    }

    private Token queued() {
        redis.command("SET", "odd:a", "foreign");
        Token token = store.token();
        assertThat(store.acquire(new AcquireCommand(id, token, StoreClient.LONG, 1, true)))
                .isInstanceOf(Busy.class);
        assertThat(redis.command("ZCARD", "{odd:a}:queue")).isEqualTo(1L);
        redis.command("DEL", "odd:a");
        return token;
    }
}
