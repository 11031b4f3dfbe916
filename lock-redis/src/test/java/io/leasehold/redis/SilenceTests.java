package io.leasehold.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** F40: a network that drops all bytes but breaks no connection. */
class SilenceTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(20)).withCommandTimeout(Duration.ofMillis(500));

    @Test
    void aConnectionThatSwallowsEverythingIsReplacedWithoutAnyHelp() {
        try (FaultProxy proxy = new FaultProxy(RedisServer.shared().port());
                RedisLocking here = new RedisLocking(proxy.port(), SETTINGS)) {
            LockHandle lock = here.locker().lock("silence");
            int before = proxy.accepted();
            proxy.set(FaultMode.STALL);
            await().atMost(Duration.ofSeconds(30)).until(() -> proxy.accepted() > before);
            proxy.pass();
            lock.renew();
            lock.release();
        }
    }
}
