package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.testsupport.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks that two processes acquire repeatedly. */
class RepeatedGrantTests {

    /** Fewer than the microseconds that a grant takes. */
    private static final int MOST_FENCES = 17;

    private static final String FENCE = "{ns:a}:fence";

    /** A counter ahead of the clock is kept for up to 1 ms more. */
    private static final long KEPT_FOR =
            RedisLockOptions.defaults().fenceRetention().toMillis();

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient connections = RedisClient.of(redis.port());

    private final LockBackend here = RedisLockBackend.of(connections.factory(), RedisLockOptions.defaults());

    private final LockBackend elsewhere = RedisLockBackend.of(connections.factory(), RedisLockOptions.defaults());

    private final List<StoreClient> processes = List.of(new StoreClient(here, "ns"), new StoreClient(elsewhere, "ns"));

    private final LockId id = LockId.of("ns", "a");

    private long last;

    @BeforeEach
    void begin() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
        connections.close();
    }

    @Test
    void tokensIncreaseForAnyHolderAndAfterAnyLossOfData() {
        Random random = Seeds.random("who takes the lock, and what is lost");
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(20) == 0) {
                redis.command("FLUSHALL");
            }
            if (random.nextInt(20) == 0) {
                redis.command("DEL", FENCE);
            }
            take(processes.get(random.nextInt(10) == 0 ? 1 : 0), 1 + random.nextInt(MOST_FENCES));
        }
        assertThat((Long) redis.command("PTTL", FENCE)).isBetween(KEPT_FOR - 10_000, KEPT_FOR + 1);
    }

    @Test
    void aLeaseWithANewCounterIsNumberedByTheClock() {
        StoreClient process = processes.get(0);
        AcquireCommand command = new AcquireCommand(id, process.token(), StoreClient.LONG, 17, false);
        Held held = process.grant(command);
        redis.command("SET", FENCE, "34");
        assertThat(process.grant(command).firstFence()).isGreaterThan(held.firstFence());
    }

    private void take(StoreClient process, int fences) {
        Held held = process.grant(id, StoreClient.LONG, fences);
        assertThat(held.firstFence()).isGreaterThan(last);
        last = held.firstFence() + fences - 1;
        assertThat(process.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }
}
