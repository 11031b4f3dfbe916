package io.leasehold.jdbc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals run even with a pool of too few connections and callers that acquire locks all the time. */
class StarvedRenewalTests {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withConnections(4);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void renewalsAreServedBesideBusyCallers(TestDatabase database) throws Exception {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(new OneConnection(database.dataSource()), OPTIONS, System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("held");
            AtomicBoolean enough = new AtomicBoolean();
            AtomicLong grants = new AtomicLong();
            ExecutorService callers = Executors.newFixedThreadPool(8);
            try {
                List<Future<?>> done = new ArrayList<>();
                for (int caller = 0; caller < 8; caller++) {
                    String key = "caller-" + caller;
                    done.add(callers.submit(() -> lockAgainAndAgain(client, key, enough, grants)));
                }
                for (int i = 0; i < 20; i++) {
                    long before = grants.get();
                    await().pollInterval(1, MILLISECONDS).atMost(20, SECONDS).until(() -> grants.get() > before);
                    assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
                }
                enough.set(true);
                for (Future<?> each : done) {
                    each.get(40, SECONDS);
                }
            } finally {
                enough.set(true);
                callers.shutdownNow();
            }
        }
    }

    private static Void lockAgainAndAgain(StoreClient client, String key, AtomicBoolean enough, AtomicLong grants) {
        while (!enough.get()) {
            Held held = client.grant(key);
            grants.incrementAndGet();
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
        return null;
    }
}
