package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt to connect has a timeout of its own. */
class EtcdConnectTests {

    private final int port = EtcdCluster.shared().member().port();

    private final FaultProxy proxy = new FaultProxy(port);

    @AfterEach
    void close() {
        proxy.close();
    }

    /**
     * The connection takes longer than the command timeout, of which a busy machine may need a part for the answer. The
     * client's classes are loaded before, since loading them is a part of the timeout of an attempt to connect.
     */
    @Test
    void aFirstLockSurvivesAConnectionThatTakesLongerThanACommand() throws Exception {
        try (EtcdLockBackend warmUp = backend(port)) {
            warmUp.connect()
                    .toCompletableFuture()
                    .handle((connected, failure) -> null)
                    .get(20, TimeUnit.SECONDS);
        }
        try (EtcdLockBackend backend = backend(proxy.port());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker =
                    engine.locker(LockerSettings.of("cold").withCommandTimeout(Duration.ofSeconds(1)), "etcd", backend);
            proxy.set(FaultMode.STALL);
            CompletableFuture<Optional<LockHandle>> first =
                    CompletableFuture.supplyAsync(() -> locker.tryLock("a", Duration.ZERO));
            Thread.sleep(1_200);
            proxy.pass();
            assertThat(first.get(20, TimeUnit.SECONDS)).isPresent();
            first.join().ifPresent(LockHandle::release);
        }
    }

    @Test
    void aMemberThatSwallowsTheConnectionIsSkipped() {
        proxy.set(FaultMode.STALL);
        try (EtcdLockBackend backend = backend(proxy.port(), port)) {
            assertThat(backend.connect().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(8));
        }
    }

    @Test
    void aMemberThatIsDownIsSkipped() {
        try (EtcdLockBackend backend = backend(FreePort.find(), port)) {
            assertThat(backend.connect().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(8));
        }
    }

    /** Also of the first one, the only one if {@code lock.safety.level} is {@code fail}. */
    @Test
    void aMemberThatIsDownIsAFindingOfTheInspection() {
        int down = FreePort.find();
        try (EtcdLockBackend backend = backend(down, port)) {
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .contains("etcd http://127.0.0.1:" + down)
                    .doesNotContain("etcd");
        }
    }

    @Test
    void anOnlyMemberThatSwallowsTheConnectionEndsTheAttempt() {
        proxy.set(FaultMode.STALL);
        try (EtcdLockBackend backend = backend(proxy.port())) {
            assertThat(backend.connect().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(BackendFailure.class)
                    .withMessageContaining("127.0.0.1:" + proxy.port());
        }
    }

    /** Otherwise each attempt of an outage would leave a request in memory, and all of them would be sent after it. */
    @Test
    void anAttemptThatHasEndedLeavesNoRequest() {
        try (TransactionProxy member = new TransactionProxy(URI.create("http://127.0.0.1:" + port));
                FaultProxy silent = new FaultProxy(member.endpoint().getPort());
                EtcdLockBackend backend = backend(silent.port())) {
            silent.set(FaultMode.STALL);
            assertThat(backend.connect().toCompletableFuture()).failsWithin(Duration.ofSeconds(10));
            silent.pass();
            assertThat(backend.connect().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(8));
            assertThat(member.requests()).containsEntry(KVGrpc.getRangeMethod().getFullMethodName(), 1);
        }
    }

    @Test
    void noServerListens() {
        try (EtcdLockBackend backend = backend(FreePort.find())) {
            assertThat(backend.connect().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(3))
                    .withThrowableThat()
                    .withCauseInstanceOf(BackendFailure.class);
        }
    }

    private static EtcdLockBackend backend(int... ports) {
        URI[] endpoints = Arrays.stream(ports)
                .mapToObj(one -> URI.create("http://127.0.0.1:" + one))
                .toArray(URI[]::new);
        return new EtcdLockBackend(EtcdOptions.of(endpoints), System::nanoTime, InstantSource.system());
    }
}
