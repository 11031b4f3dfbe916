package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** etcd with authentication enabled, and a role for the locks' keys only. */
class EtcdLoginTests {

    private static EtcdCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EtcdCluster.start(1);
        try (EtcdAdmin admin = cluster.admin()) {
            admin.requireLogin("locks", "secret", "leasehold/");
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aUserWithAccessToThePrefixLocks() {
        try (EtcdLockBackend backend = backend(options().withUser("locks", "secret"))) {
            StoreClient store = new StoreClient(backend, "u");
            Held held = store.grant("a");
            assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            store.waitFor(held.id());
            store.release(held);
            assertThat(StoreClient.await(backend.inspect())).isNotNull();
        }
    }

    @Test
    void aLoginThatTheServerHasForgottenIsRenewed() {
        try (EtcdLockBackend backend = backend(options().withUser("locks", "secret"))) {
            StoreClient store = new StoreClient(backend, "r");
            Held held = store.grant("a");
            // etcd replays a login that it has not committed yet, which it does ten times a second
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            cluster.member().kill();
            cluster.member().restart();
            await().atMost(20, SECONDS).until(() -> store.renew(held, StoreClient.LONG) == RenewAnswer.RENEWED);
            store.release(held);
            store.grant("a");
        }
    }

    /** The renewal has one answer for each lock, and none of them says why it is unknown. */
    @Test
    void aRenewalThatIsNotAnsweredNamesTheReasonInTheLog() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        Logger log = (Logger) LoggerFactory.getLogger(EtcdRenewal.class);
        log.addAppender(lines);
        lines.start();
        try (EtcdLockBackend backend = backend(options().withUser("locks", "secret"))) {
            StoreClient store = new StoreClient(backend, "n");
            Held held = store.grant("a");
            setPassword("other");
            assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.UNKNOWN);
            // the line is written after the answer
            await().atMost(20, SECONDS)
                    .untilAsserted(() -> assertThat(lines.list)
                            .extracting(ILoggingEvent::getFormattedMessage)
                            .singleElement()
                            .asString()
                            .contains("1 of 1 locks", "did not log in user 'locks'"));
            setPassword("secret");
            await().atMost(20, SECONDS).until(() -> store.renew(held, StoreClient.LONG) == RenewAnswer.RENEWED);
        } finally {
            log.detachAppender(lines);
            // for the other tests, also after a failure
            setPassword("secret");
        }
    }

    private static void setPassword(String password) {
        try (EtcdAdmin admin = cluster.admin()) {
            admin.setPassword("secret", "locks", password);
        }
    }

    @ParameterizedTest
    @CsvSource({"locks,wrong,leasehold/", "nobody,secret,leasehold/", "locks,secret,elsewhere/"})
    void aUserWithoutAccessIsRefused(String user, String password, String prefix) {
        assertRefused(options().withUser(user, password).withKeyPrefix(prefix));
    }

    @Test
    void aClientWithoutALoginIsRefused() {
        assertRefused(options());
    }

    private static EtcdOptions options() {
        return EtcdOptions.of(cluster.endpoints());
    }

    private static EtcdLockBackend backend(EtcdOptions options) {
        return new EtcdLockBackend(options, System::nanoTime, InstantSource.system());
    }

    private static void assertRefused(EtcdOptions options) {
        try (LockBackend backend = backend(options)) {
            StoreClient store = new StoreClient(backend, "x");
            assertThatThrownBy(() -> backend.acquire(
                                    new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, false))
                            .toCompletableFuture()
                            .get(10, SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageNotContaining("secret");
        }
    }
}
