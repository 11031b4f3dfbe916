package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The first lock and the first inspection of a process whose connections take longer to open than an answer may take.
 */
class RedlockConnectTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("slow").withTtl(Duration.ofMillis(1_500)).withCommandTimeout(Duration.ofMillis(500));

    private final FiveRedis redis = new FiveRedis();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aMajorityThatConnectsSlowlyIsWaitedFor() {
        redis.proxies.forEach(proxy -> proxy.set(FaultMode.STALL));
        redis.proxies.subList(3, 5).forEach(proxy -> proxy.set(FaultMode.REFUSE));
        CompletableFuture.delayedExecutor(1_200, TimeUnit.MILLISECONDS)
                .execute(() -> redis.proxies.subList(0, 3).forEach(FaultProxy::pass));
        try (RedlockLockBackend backend = redis.proxied(FiveRedis.options());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            assertThat(engine.locker(SETTINGS, "redlock", backend).tryLock("first"))
                    .isPresent();
        }
    }

    @Test
    void theFirstInspectionWaitsForConnections() {
        redis.proxies.forEach(proxy -> proxy.set(FaultMode.STALL));
        CompletableFuture.delayedExecutor(1_200, TimeUnit.MILLISECONDS)
                .execute(() -> redis.proxies.forEach(FaultProxy::pass));
        try (RedlockLockBackend backend = redis.proxied(FiveRedis.options())) {
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::finding)
                    .doesNotContain("does not answer");
        }
    }
}
