package io.leasehold.redis;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release that retains the lock for a while, and commands that arrive after it. */
class RepeatedReleaseTests {

    private static final Duration KEPT = Duration.ofSeconds(5);

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());

    private final StoreClient store = new StoreClient(backend, "kept");

    private Held held;

    @BeforeEach
    void keep() {
        redis.command("FLUSHALL");
        held = store.grant("a");
        assertThat(store.release(held, KEPT)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @AfterEach
    void close() {
        backend.close();
        client.close();
    }

    @Test
    void aCopyThatArrivesLateDoesNotProlongIt() throws Exception {
        TimeUnit.MILLISECONDS.sleep(300);
        assertThat(store.release(held, KEPT)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(remaining()).isBetween(1L, KEPT.toMillis() - 300);
    }

    @Test
    void aRepetitionUntilTheSameMomentKeepsItUntilThen() {
        assertThat(store.release(held, KEPT.minusSeconds(1))).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(remaining()).isBetween(KEPT.toMillis() - 2_000, KEPT.toMillis() - 1_000);
    }

    @Test
    void itIsRemovedWhenItsTimeIsOver() {
        assertThat(store.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(redis.command("EXISTS", "kept:a")).isEqualTo(0L);
    }

    @Test
    void aLateRenewalDoesNotProlongIt() {
        assertThat(await(backend.renew(List.of(new RenewCommand(held.id(), held.token(), StoreClient.LONG)))))
                .doesNotContain(RenewAnswer.RENEWED);
        assertThat(remaining()).isBetween(1L, KEPT.toMillis());
    }

    @Test
    void aLateAcquisitionDoesNotTakeItAgain() {
        assertThat(store.acquire(new AcquireCommand(held.id(), held.token(), StoreClient.LONG, 1, false)))
                .isInstanceOf(Busy.class);
        assertThat(remaining()).isBetween(1L, KEPT.toMillis());
    }

    private long remaining() {
        return (Long) redis.command("PTTL", "kept:a");
    }
}
