package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F8: connections that end in the middle of a statement, and the outcome that is reported afterwards. */
class LostConnectionTests {

    private static final int ATTEMPTS = 5;

    private static final JdbcLockOptions OPTIONS =
            new JdbcLockOptions().withLockWait(Duration.ofMillis(500)).withCommandTimeout(Duration.ofSeconds(10));

    enum Server {
        POSTGRESQL {
            @Override
            int port() {
                return PostgresServer.shared().port();
            }

            @Override
            String url(int port) {
                return PostgresServer.shared().url(port);
            }
        },
        MARIADB {
            @Override
            int port() {
                return MariaDbServer.shared().port();
            }

            @Override
            String url(int port) {
                return MariaDbServer.shared().url(port);
            }
        };

        abstract int port();

        abstract String url(int port);
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void aLostAnswerIsRecoveredByTheToken(Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                JdbcLockBackend backend = backend(server, proxy)) {
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));

            proxy.loseNextReply();
            Held held = client.grant("a");
            client.busy(held.id());

            proxy.loseNextReply();
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);

            proxy.loseNextReply();
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());

            assertThat(proxy.lostReplies()).isEqualTo(3);
        }
    }

    /** On a slow machine the connection may have been idle long enough to be validated first. */
    @ParameterizedTest
    @EnumSource(Server.class)
    void aRequestThatMayStillBeInTransitIsUnknown(Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                JdbcLockBackend backend = backend(server, proxy, OPTIONS.withCommandTimeout(Duration.ofSeconds(3)))) {
            StoreClient client = TestDatabase.client(backend);
            Held held;
            Effect effect;
            int attempt = 0;
            do {
                proxy.pass();
                held = client.grant("warm-" + attempt++);
                proxy.set(FaultMode.STALL_REQUESTS);
                effect = effect(backend.acquire(command(client)));
            } while (effect == Effect.NOT_DONE && attempt < ATTEMPTS);
            assertThat(effect).isEqualTo(Effect.UNKNOWN);
            assertThat(effect(backend.release(new ReleaseCommand(held.id(), held.token()))))
                    .isNotEqualTo(Effect.REFUSED);
            proxy.pass();
            client.grant("b");
        }
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void anUnsentRequestIsNotDone(Server server) {
        try (FaultProxy proxy = new FaultProxy(server.port());
                JdbcLockBackend backend = backend(server, proxy)) {
            StoreClient client = TestDatabase.client(backend);
            client.grant("warm");

            proxy.set(FaultMode.REFUSE);
            effect(backend.acquire(command(client)));
            assertThat(effect(backend.acquire(command(client)))).isEqualTo(Effect.NOT_DONE);
            proxy.pass();
            client.grant("b");
        }
    }

    private static JdbcLockBackend backend(Server server, FaultProxy proxy) {
        return backend(server, proxy, OPTIONS);
    }

    private static JdbcLockBackend backend(Server server, FaultProxy proxy, JdbcLockOptions options) {
        try (JdbcLockBackend direct =
                JdbcLockBackend.withOwnPool(new UrlDataSource(server.url(server.port())), OPTIONS, System::nanoTime)) {
            direct.initializeSchema();
        }
        return JdbcLockBackend.withOwnPool(new UrlDataSource(server.url(proxy.port())), options, System::nanoTime);
    }

    private static AcquireCommand command(StoreClient client) {
        return new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
    }

    private static Effect effect(CompletionStage<?> stage) {
        Throwable thrown =
                Assertions.catchThrowable(() -> stage.toCompletableFuture().join());
        assertThat(thrown).isInstanceOf(CompletionException.class).hasCauseInstanceOf(BackendFailure.class);
        return ((BackendFailure) thrown.getCause()).effect();
    }
}
