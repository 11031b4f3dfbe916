package io.leasehold.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In PostgreSQL, a process that has just released a lock leaves it to a waiter in another process. */
class HandoffGracePeriodTests {

    private final UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private final JdbcLockBackend one = backend();

    private final JdbcLockBackend other = backend();

    private final String namespace = "c-" + UUID.randomUUID();

    private final StoreClient here = new StoreClient(one, namespace);

    private final StoreClient there = new StoreClient(other, namespace);

    private Held held;

    @BeforeEach
    void anotherProcessWaitsAndListens() {
        held = here.grant("a");
        await().pollInSameThread().until(this::isAskedFor);
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void theNextWaiterOfTheOtherProcessComesFirst() {
        here.release(held);
        assertThat(ask(here))
                .isInstanceOfSatisfying(
                        Busy.class,
                        busy -> assertThat(busy.remaining()).isLessThanOrEqualTo(HandoffGracePeriod.MOMENT));
        assertThat(ask(there)).isInstanceOf(Granted.class);
    }

    /** A command that is resent after its lease has ended does not come from the holder, in any slot. */
    @Test
    void aTokenWhoseLeaseHasEndedIsNoHolder() {
        Held ended = here.grant(inTheSlotOf(held.id()), Duration.ofMillis(1));
        String lock = " WHERE lock_key = '" + ended.id() + "'";
        await().until(() -> database.query(
                        "SELECT expires_at - (date_part('epoch', now()) * 1000000)::bigint FROM lock_lease" + lock)
                < 0);
        database.execute("UPDATE lock_lease SET told_below = 9e15" + lock);

        here.release(held);
        assertThat(here.acquire(new AcquireCommand(ended.id(), ended.token(), StoreClient.LONG, 1, true)))
                .isInstanceOf(Busy.class);
    }

    @Test
    void thePreferenceLastsOnlyForAMoment() {
        here.release(held);
        clock.addAndGet(HandoffGracePeriod.MOMENT.toNanos());
        assertThat(ask(here)).isInstanceOf(Granted.class);
    }

    @Test
    void aCallerThatDoesNotWaitIsNotRefused() {
        here.release(held);
        assertThat(here.acquire(held.id(), here.token(), StoreClient.LONG)).isInstanceOf(Granted.class);
    }

    @Test
    void withoutOtherWaitersNoProcessComesFirst() {
        Held unwanted = here.grant("unwanted");
        here.release(unwanted);
        assertThat(here.acquire(new AcquireCommand(unwanted.id(), here.token(), StoreClient.LONG, 1, true)))
                .isInstanceOf(Granted.class);
    }

    private LockId inTheSlotOf(LockId id) {
        return IntStream.range(0, 1_000_000)
                .mapToObj(number -> here.id("b-" + number))
                .filter(other -> HandoffGracePeriod.slot(KeyHash.of(other)) == HandoffGracePeriod.slot(KeyHash.of(id)))
                .findFirst()
                .orElseThrow();
    }

    private JdbcLockBackend backend() {
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), clock::get);
        backend.initializeSchema();
        return backend;
    }

    private AcquireAnswer ask(StoreClient client) {
        return client.acquire(new AcquireCommand(held.id(), client.token(), StoreClient.LONG, 1, true));
    }

    /**
     * Whether a waiter of the other process has requested a notification, which it does as soon as its process listens.
     */
    private boolean isAskedFor() {
        there.giveUp(there.waitFor(held.id()));
        return database.query(
                        "SELECT COUNT(*) FROM lock_lease WHERE told_below > fence AND lock_key = '" + held.id() + "'")
                > 0;
    }
}
