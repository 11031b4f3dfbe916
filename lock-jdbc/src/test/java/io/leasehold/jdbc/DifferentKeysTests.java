package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F52: keys that a collation considers equal are separate locks. */
class DifferentKeysTests {

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void caseAccentAndTrailingSpaceMakeFourLocks(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            List<Held> held = Stream.of("User:1", "user:1", "User:1 ", "Us\u00e9r:1")
                    .map(client::grant)
                    .toList();
            assertThat(held).hasSize(4).allSatisfy(lock -> client.busy(lock.id()));
        }
    }
}
