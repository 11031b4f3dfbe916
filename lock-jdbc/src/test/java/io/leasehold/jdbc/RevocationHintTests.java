package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The holder in another process is notified of a forced release long before its next renewal, if its process listens
 * for PostgreSQL's notifications.
 */
class RevocationHintTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final String MARKED =
            "SELECT COUNT(*) FROM lock_lease WHERE told_below > fence AND lock_key = '%s:busy'";

    private static final String NOTIFY = "SELECT pg_notify('leasehold', %s) FROM lock_lease WHERE lock_key = '%s:x'";

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final HinderedDataSource hindered = new HinderedDataSource(database);

    private final LockerSettings settings = LockerSettings.of("hint-" + UUID.randomUUID())
            .withTtl(Duration.ofMinutes(10))
            .withForceRelease(true);

    private final List<AutoCloseable> open = new ArrayList<>();

    private final List<LossReason> losses = new CopyOnWriteArrayList<>();

    private LeaseLocker here;

    private LeaseLocker there;

    @BeforeEach
    void start() {
        TestDatabase.POSTGRESQL.backend().close();
        here = locker(database);
        there = locker(hindered);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void theHolderIsNotifiedIfItsProcessListens() {
        listenHere();
        hold();
        revoke();
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    /** The first hint may be lost. */
    @Test
    void aRepeatedForcedReleaseNotifiesAgain() {
        LockHandle held = hold();
        revoke();
        assertThat(held.isHeld()).isTrue();
        listenHere();
        revoke();
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    @Test
    void aForcedReleaseWhoseNotificationFailsIsCarriedOut() {
        listenHere();
        LockHandle held = hold();
        hindered.hinder("'revoked ", 1, connection -> {
            throw new SQLException("too many notifications in the NOTIFY queue", "54000");
        });

        revoke();

        await().atMost(DEADLINE).until(() -> hindered.hindered() == 1);
        assertThat(held.isHeld()).isTrue();
        assertThatThrownBy(held::renew).isInstanceOf(LockLostException.class).hasMessageContaining("a forced release");
    }

    @Test
    void notificationsOfOthersOnlyRenewALock() {
        listenHere();
        LockHandle held = hold();
        for (String message : List.of("'revoked '", "'revoked x'", "'revoked ' || token", "substr(token, 17)")) {
            database.execute(NOTIFY.formatted(message, settings.namespace()));
        }
        for (int i = 0; i < 3; i++) {
            database.execute(NOTIFY.formatted("'revoked ' || substr(token, 17)", settings.namespace()));
        }

        await().atMost(DEADLINE).until(() -> here.status().holds().get(0).renewals() > 0);
        assertThat(held.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    private LockHandle hold() {
        LockHandle handle = here.lock("x");
        handle.onLost(losses::add);
        return handle;
    }

    private void revoke() {
        LockState.Held state = (LockState.Held) StoreClient.await(there.describe("x"));
        assertThat(StoreClient.await(
                                there.forceRelease("x", state.fencingToken().orElseThrow(), "a test"))
                        .outcome())
                .isEqualTo(Outcome.REVOKED);
    }

    /** Keeps a caller waiting for another lock, until its process has marked the row, which it does once it listens. */
    private void listenHere() {
        there.lock("busy");
        here.tryLockAsync(LockRequest.of("busy").withWaitTime(Duration.ofMinutes(5)));
        await().atMost(DEADLINE).until(() -> database.query(MARKED.formatted(settings.namespace())) > 0);
    }

    private LeaseLocker locker(DataSource dataSource) {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, new JdbcLockOptions(), System::nanoTime);
        open.add(backend);
        LockEngine engine = new LockEngine(new LockListener() {});
        open.add(engine);
        return engine.locker(settings, "jdbc", backend);
    }
}
