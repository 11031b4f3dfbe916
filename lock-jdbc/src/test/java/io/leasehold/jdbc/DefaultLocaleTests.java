package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The statements have ASCII digits where Java formats numbers with others, as in Egypt. */
class DefaultLocaleTests {

    private static final JdbcLockOptions NEVER_LOOKING = new JdbcLockOptions().withPollInterval(Duration.ofHours(1));

    private final Locale before = Locale.getDefault();

    @BeforeEach
    void formatNumbersWithOtherDigits() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat(String.format("%d", 10)).isNotEqualTo("10");
    }

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @EnumSource
    void locksAreGrantedRenewedAndReleased(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            assertThat(client.renew(held, Duration.ofSeconds(60))).isEqualTo(RenewAnswer.RENEWED);
            client.busy(held.id());
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            client.grant("a");
        }
    }

    @Test
    void aWaiterIsMarkedForTheNotificationOfItsRelease() {
        UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();
        try (JdbcLockBackend backend = TestDatabase.POSTGRESQL.backend();
                JdbcLockBackend waiters = JdbcLockBackend.withOwnPool(database, NEVER_LOOKING, System::nanoTime)) {
            StoreClient client = TestDatabase.client(backend);
            StoreClient waiting = new StoreClient(waiters, "unused");
            Held held = client.grant("a");
            String marked =
                    "SELECT COUNT(*) FROM lock_lease WHERE told_below > fence AND lock_key = '" + held.id() + "'";
            Waiter waiter = await().pollInSameThread().until(() -> waiting.waitFor(held.id()), asked -> {
                boolean isMarked = database.query(marked) > 0;
                if (!isMarked) {
                    waiting.giveUp(asked);
                }
                return isMarked;
            });

            client.release(held);
            await().until(() -> waiter.busy().wakeup().isDone());
        }
    }
}
