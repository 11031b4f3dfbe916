package io.leasehold.autoconfigure.jdbc;

import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.leasehold.autoconfigure.backend.LockBackends;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JdbcLockPurgeTests {

    /** A store that was closed is opened again for the purge, and its factory may fail. */
    @Test
    void aStoreThatCannotBeOpenedDoesNotEndThePurges() {
        AtomicInteger purges = new AtomicInteger();
        LockBackends backends = mock(LockBackends.class);
        when(backends.find(any(), any())).thenAnswer(call -> {
            if (purges.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("Driver");
            }
            return Optional.empty();
        });
        JdbcLockPurge purge = new JdbcLockPurge(backends, Duration.ofMillis(1));
        purge.start();
        try {
            await().until(() -> purges.get() > 1);
        } finally {
            purge.stop();
        }
    }
}
