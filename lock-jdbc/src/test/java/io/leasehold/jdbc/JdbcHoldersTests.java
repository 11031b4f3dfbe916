package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The holder of a lock in the lease table, as another process reads it. */
class JdbcHoldersTests {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final String GRANTED_TO =
            "orders@host-1:11, thread " + Thread.currentThread().getId();

    private final LockerSettings settings = LockerSettings.of("h-" + UUID.randomUUID())
            .withTtl(Duration.ofSeconds(30))
            .withWaitTime(Duration.ofMillis(200));

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void theHolderIsKnownAfterRenewalsAndAfterAHandOver(TestDatabase database) {
        try (Process here = new Process(database, "orders@host-1:11");
                Process there = new Process(database, "billing@host-2:22")) {
            Instant before = Instant.now().minusSeconds(2);
            LockHandle first = here.locker.lock("x");
            for (int i = 0; i < 3; i++) {
                first.renew();
            }
            Held state = there.describe("x");
            assertThat(state.kind()).isEqualTo(Kind.HOLDER);
            assertThat(state.holder()).isEqualTo(GRANTED_TO);
            assertThat(state.since()).isBetween(before, Instant.now().plusSeconds(2));
            assertThat(state.fencingToken().orElseThrow()).isGreaterThanOrEqualTo(first.fencingToken());

            CompletableFuture<LockHandle> next = here.locker
                    .tryLockAsync(LockRequest.of("x").withWaitTime(DEADLINE))
                    .thenApply(Optional::orElseThrow)
                    .toCompletableFuture();
            await().atMost(DEADLINE).until(() -> here.locker.status().waiting() == 1);
            first.close();
            try (LockHandle second =
                    next.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join()) {
                assertThat(there.describe("x").holder()).startsWith("orders@host-1:11");
                assertThat(here.describe("x").fencingToken()).hasValue(second.fencingToken());
            }
            assertThat(there.state("x")).isInstanceOf(LockState.Free.class);
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aLockThatWasNotAcquiredNamesItsHolder(TestDatabase database) {
        try (Process here = new Process(database, "orders@host-1:11");
                Process there = new Process(database, "billing@host-2:22");
                LockHandle held = here.locker.lock("x")) {
            assertThat(held.isHeld()).isTrue();
            assertThatThrownBy(() -> there.locker.lock("x"))
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("; now it is held by '" + GRANTED_TO + "' since ");
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aRowThatThisLibraryDidNotWriteIsForeign(TestDatabase database) {
        try (Process there = new Process(database, "billing@host-2:22")) {
            there.locker.lock("x").release();
            database.dataSource()
                    .execute("UPDATE lock_lease SET token = 'job 7', holder = 'x', written_at = fence, expires_at ="
                            + " fence + 60000000 WHERE lock_key = '" + settings.namespace() + ":x'");
            Held state = there.describe("x");
            assertThat(state.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(state.holder()).isNull();
            assertThat(state.fencingToken()).isEmpty();
        }
    }

    private final class Process implements AutoCloseable {

        private final JdbcLockBackend backend;

        private final LockEngine engine;

        private final LeaseLocker locker;

        Process(TestDatabase database, String name) {
            backend = database.backend();
            engine = new LockEngine(new LockListener() {}, name);
            locker = engine.locker(settings, "jdbc", backend);
        }

        LockState state(String key) {
            return StoreClient.await(locker.describe(key));
        }

        Held describe(String key) {
            LockState state = state(key);
            assertThat(state).isInstanceOf(Held.class);
            return (Held) state;
        }

        @Override
        public void close() {
            engine.close();
            backend.close();
        }
    }
}
