package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F48: keys that nobody used before, wanted by many at once, end in no deadlock that anybody hears of. */
class NewKeysTests {

    private static final int ROUNDS = 5;

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void thirtyTwoConnectionsWantFourNewKeys(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withConnections(16).withQueueTimeout(Duration.ofMinutes(1));
        try (JdbcLockBackend one = database.backend(options);
                JdbcLockBackend other = database.backend(options)) {
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(grants(List.of(one, other), "n-" + UUID.randomUUID()))
                        .isEqualTo(4);
            }
        }
    }

    private static long grants(List<JdbcLockBackend> backends, String namespace) {
        List<CompletionStage<AcquireAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            for (JdbcLockBackend backend : backends) {
                Token token = new Token(ThreadLocalRandom.current().nextLong(), i);
                LockId id = LockId.of(namespace, "key-" + i % 4);
                answers.add(backend.acquire(new AcquireCommand(id, token, Duration.ofSeconds(30), 1, false)));
            }
        }
        return answers.stream()
                .map(answer -> answer.toCompletableFuture().join())
                .filter(Granted.class::isInstance)
                .count();
    }
}
