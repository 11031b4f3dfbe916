package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state after a fault when the network is healed. The ttl is too long to be waited for. */
@Tag("slow")
class EtcdHealedNetworkTests {

    private static final String NAMESPACE = "healed";

    /** Longer than the first back-offs of a connection would be. */
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofMillis(1_200);

    private final FaultProxy proxy =
            new FaultProxy(EtcdCluster.shared().member().port());

    private final EtcdLockBackend faulty = backend(proxy.port());

    private final EtcdLockBackend sound = backend(EtcdCluster.shared().member().port());

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LockEngine otherEngine = new LockEngine(new LockListener() {});

    private final LeaseLocker here = engine.locker(settings(), "etcd", faulty);

    private final LeaseLocker elsewhere = otherEngine.locker(settings(), "etcd", sound);

    @AfterEach
    void close() {
        proxy.pass();
        engine.close();
        otherEngine.close();
        faulty.close();
        sound.close();
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultMode.class,
            names = {"LOSE_REPLY", "STALL_REPLIES", "STALL_REQUESTS"})
    void aKeyIsFreeSoonAfterAnAttemptWithoutAnAnswer(FaultMode fault) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            String key = fault + "-" + i;
            warmUp();
            proxy.set(fault);
            assertThatThrownBy(() -> here.tryLock(key, Duration.ZERO)).isInstanceOf(LockBackendException.class);
            Thread.sleep(OUTAGE.toMillis());
            proxy.pass();
            await().until(() -> proxy.held() == 0);
            assertThat(freeAfter(key)).isLessThan(SOON);
            awaitNoKeyOf(key);
        }
    }

    /** A late request may have arrived after another holder had released the lock. */
    private static void awaitNoKeyOf(String lock) {
        String id = LockId.of(NAMESPACE, lock).encoded();
        try (EtcdAdmin admin = new EtcdAdmin(EtcdCluster.shared().member().endpoint())) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> admin.keys().stream()
                            .noneMatch(key -> key.getKey().toStringUtf8().contains(id)));
        }
    }

    @Test
    void aRetainedLockStaysTakenWhenItsReleaseIsRepeated() throws InterruptedException {
        warmUp();
        Duration hold = Duration.ofSeconds(5);
        LockHandle handle =
                here.tryLock(LockRequest.of("kept").withMinHoldTime(hold)).orElseThrow();
        long grantedAt = System.nanoTime();
        proxy.set(FaultMode.LOSE_REPLY);
        assertThat(handle.release()).isFalse();
        Thread.sleep(500);
        proxy.pass();
        freeAfter("kept");
        assertThat(Duration.ofNanos(System.nanoTime() - grantedAt)).isBetween(hold, hold.plusSeconds(4));
    }

    @Test
    void aWaiterBehindTheFaultGetsTheLockSoon() throws Exception {
        warmUp();
        LockHandle held = elsewhere.tryLock("line").orElseThrow();
        CompletableFuture<Optional<LockHandle>> waiting = here.tryLockAsync(
                        LockRequest.of("line").withWaitTime(Duration.ofSeconds(30)))
                .toCompletableFuture();
        await().until(() -> here.status().waiting() > 0);
        proxy.set(FaultMode.LOSE_REPLY);
        Thread.sleep(OUTAGE.toMillis());
        proxy.pass();
        long healedAt = System.nanoTime();
        held.release();
        waiting.get(20, TimeUnit.SECONDS).orElseThrow().release();
        assertThat(Duration.ofNanos(System.nanoTime() - healedAt)).isLessThan(SOON);
    }

    private void warmUp() {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptionsInstanceOf(LockBackendException.class)
                .until(() -> here.tryLock("warm-up").filter(LockHandle::release).isPresent());
    }

    private Duration freeAfter(String key) {
        long since = System.nanoTime();
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(() -> elsewhere.tryLock(key, Duration.ZERO), Optional::isPresent)
                .ifPresent(LockHandle::release);
        return Duration.ofNanos(System.nanoTime() - since);
    }

    private static LockerSettings settings() {
        return LockerSettings.of(NAMESPACE).withTtl(Duration.ofSeconds(120));
    }

    private static EtcdLockBackend backend(int port) {
        return new EtcdLockBackend(
                EtcdOptions.of(URI.create("http://127.0.0.1:" + port)), System::nanoTime, InstantSource.system());
    }
}
