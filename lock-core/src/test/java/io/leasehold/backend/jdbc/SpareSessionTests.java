package io.leasehold.backend.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The room for the last session is left for renewals by everybody else. */
class SpareSessionTests {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Test
    void onlyWhoSparesNoneOpensTheLast() throws Exception {
        try (SessionPool pool =
                new SessionPool(TestDatabase.H2.dataSource(), PATIENCE, PATIENCE, 2, 2, System::nanoTime)) {
            Session first = pool.take(1);
            assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(() -> pool.take(1));
            Session last = pool.take(0);
            assertThat(last).isNotSameAs(first);
            pool.giveBack(last);
            assertThat(pool.take(1)).isSameAs(last);
            pool.giveBack(last);
            pool.giveBack(first);
        }
    }
}
