package io.leasehold.sample.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The host stays as long as instances are connected, and a while longer after one that was killed. */
class ClientRegistryTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final Duration SHORT = Duration.ofMillis(50);

    private final AtomicBoolean closed = new AtomicBoolean();

    private ClientRegistry clients = new ClientRegistry(LONG, () -> closed.set(true));

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void givesTheLowestFreeIndex() {
        assertThat(clients.add()).hasValue(0);
        assertThat(clients.add()).hasValue(1);
        assertThat(clients.add()).hasValue(2);

        clients.remove(1, true);

        assertThat(clients.add()).hasValue(1);
        assertThat(closed).isFalse();
    }

    @Test
    void closesAtOnceWhenTheLastOneEndsNormally() {
        clients.add();
        clients.add();
        clients.remove(0, true);
        assertThat(closed).isFalse();

        clients.remove(1, true);

        await().untilTrue(closed);
        assertThat(clients.add()).isEqualTo(OptionalInt.empty());
    }

    @Test
    void waitsForTheNextWhenTheLastOneWasKilled() {
        clients.add();
        clients.remove(0, false);

        assertThat(clients.add()).hasValue(0);
        assertThat(closed).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closesWhenNoneConnects(boolean oneWasKilled) {
        clients.close();
        clients = new ClientRegistry(SHORT, () -> closed.set(true));
        if (oneWasKilled) {
            clients.add();
            clients.remove(0, false);
        }

        await().untilTrue(closed);
    }
}
