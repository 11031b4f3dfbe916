package io.leasehold.autoconfigure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.jdbc.row.RowLockOptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

/** Properties that are not set mean what the options of the backends mean by default. */
class JdbcDefaultsTests {

    private final Binder binder = Binder.get(new MockEnvironment());

    @Test
    void theDefaultsOfLeasesAgree() {
        assertThat(binder.bindOrCreate("lock.jdbc", JdbcLockProperties.class).options())
                .isEqualTo(new JdbcLockOptions());
    }

    @Test
    void theDefaultsOfRowLocksAgree() {
        assertThat(binder.bindOrCreate("lock.row-lock", RowLockProperties.class).options())
                .isEqualTo(new RowLockOptions());
    }
}
