package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.contract.HotLock;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R31: how far a fencing counter runs ahead of the clock of Redis, and how long it is kept. */
class FenceLeadTests {

    private static final Duration AT_FULL_SPEED = Duration.ofSeconds(2);

    /** A busy machine needs several rounds for as many. */
    private static final long MANY = 200;

    private static final long LARGEST_LEAD_MICROS = 50_000;

    private static final String COUNTER = "{lead:a}:fence";

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final LockBackend backend = RedisLockBackend.of(
            client.factory(), RedisLockOptions.defaults().withFenceRetention(Duration.ofMinutes(1)));

    private final LockEngine engine = new LockEngine(new LockListener() {});

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        engine.close();
        backend.close();
        client.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "1, 255", "2, 255", "4, 255", "32, 255"})
    void aHotLockDoesNotRunAheadOfTheClock(int threads, int handoffs) throws Exception {
        LeaseLocker locker = engine.locker(LockerSettings.of("lead").withMaxLocalHandoffs(handoffs), "redis", backend);
        long granted = 0;
        while (granted < MANY) {
            granted += HotLock.run(locker, threads, AT_FULL_SPEED);
        }
        assertThat(counter() - clock()).isLessThan(LARGEST_LEAD_MICROS);
    }

    @Test
    void aCounterThatIsAheadIsKeptForAsLongAsItIsAheadAndTheRetention() {
        Duration ahead = Duration.ofHours(2);
        redis.command("SET", COUNTER, Long.toString(clock() + ahead.toNanos() / 1_000));
        LeaseLocker locker = engine.locker(LockerSettings.of("lead"), "redis", backend);
        for (int i = 0; i < 3; i++) {
            locker.lock("a").close();
            assertThat((Long) redis.command("PTTL", COUNTER))
                    .isGreaterThan(ahead.plusSeconds(50).toMillis());
        }
    }

    private long counter() {
        return Long.parseLong((String) redis.command("GET", COUNTER));
    }

    private long clock() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }
}
