package io.leasehold.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row locks whose connection does not answer for longer than the command timeout. Their holder may not know it yet. */
class SilentRowLockTests {

    private static final Duration TTL = Duration.ofSeconds(4);

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private final String namespace = "t-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(LostConnectionTests.Server.class)
    void theRowStaysLockedWhileItsHolderMayBelieveInIt(LostConnectionTests.Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                RowLockBackend one = backend(server.url(proxy.port()), COMMAND_TIMEOUT);
                RowLockBackend other = backend(server.url(server.port()), Duration.ofSeconds(5))) {
            StoreClient holder = new StoreClient(one, namespace);
            StoreClient successor = new StoreClient(other, namespace);
            AcquireCommand next = new AcquireCommand(holder.id("a"), successor.token(), StoreClient.LONG, 1, false);
            long sentAt = System.nanoTime();
            Held held = holder.grant(holder.id("a"), TTL);

            proxy.set(FaultMode.STALL_REPLIES);
            try (RecordedLog log = new RecordedLog(RowLockBackend.class)) {
                assertThat(holder.renew(held, TTL)).isEqualTo(RenewAnswer.UNKNOWN);
                await().untilAsserted(() -> assertThat(log.messages())
                        .containsExactly(
                                "No answer to the renewal of 1 of 1 locks: the connection that holds the row did"
                                        + " not answer in time"));
            }
            await().atMost(30, SECONDS).until(() -> successor.acquire(next) instanceof Granted);
            assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThanOrEqualTo(TTL);
        }
    }

    /** MariaDB's driver cannot close a connection before it has notified the server on another connection. */
    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void aReleasingHolderFreesTheRowImmediately(LostConnectionTests.Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                RowLockBackend one = backend(server.url(proxy.port()), Duration.ofSeconds(5));
                RowLockBackend other = backend(server.url(server.port()), Duration.ofSeconds(5))) {
            StoreClient holder = new StoreClient(one, namespace);
            StoreClient successor = new StoreClient(other, namespace);
            AcquireCommand next = new AcquireCommand(holder.id("a"), successor.token(), StoreClient.LONG, 1, false);
            Held held = holder.grant(holder.id("a"), StoreClient.LONG);

            proxy.set(FaultMode.STALL_REPLIES);
            assertThat(holder.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.UNKNOWN);
            holder.release(held);
            await().atMost(20, SECONDS).until(() -> successor.acquire(next) instanceof Granted);
        }
    }

    /** The connection is closed here, and the server has not noticed yet. */
    @ParameterizedTest
    @EnumSource(LostConnectionTests.Server.class)
    void aReleaseIsNotConfirmedWhileTheServerKeepsTheRowLocked(LostConnectionTests.Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                RowLockBackend one = backend(server.url(proxy.port()), Duration.ofSeconds(5));
                RowLockBackend other = backend(server.url(server.port()), Duration.ofSeconds(5))) {
            StoreClient holder = new StoreClient(one, namespace);
            Held held = holder.grant(holder.id("a"), StoreClient.LONG);

            proxy.set(FaultMode.STALL);
            assertThat(holder.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.UNKNOWN);
            assertThat(holder.release(held)).isNotEqualTo(ReleaseAnswer.RELEASED);
            new StoreClient(other, namespace).busy(held.id());
        }
    }

    private static RowLockBackend backend(String url, Duration commandTimeout) {
        RowLockOptions options = new RowLockOptions().withCommandTimeout(commandTimeout);
        RowLockBackend backend = RowLockBackend.withOwnPool(new UrlDataSource(url), options, System::nanoTime);
        backend.initializeSchema();
        return backend;
    }
}
