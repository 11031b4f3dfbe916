package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F47: for any driver's count of affected rows, a caller without the lock is never treated as its holder. */
class AffectedRowsTests {

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aRefusedAcquisitionIsNoGrant(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            client.busy(held.id());
            client.busy(held.id());
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aRenewalThatChangesNoValueIsARenewal(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant(client.id("a"), StoreClient.LONG);
            RenewCommand shorter = new RenewCommand(held.id(), held.token(), StoreClient.LONG.dividedBy(10));
            RenewCommand foreign = new RenewCommand(held.id(), client.token(), StoreClient.LONG);
            assertThat(client.renew(List.of(shorter, foreign)))
                    .containsExactly(RenewAnswer.RENEWED, RenewAnswer.NOT_OWNER);
        }
    }
}
