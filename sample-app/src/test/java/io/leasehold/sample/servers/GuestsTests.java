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

/** The house stays open as long as it has guests, and a while longer for the next after one that was killed. */
class GuestsTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final Duration SHORT = Duration.ofMillis(50);

    private final AtomicBoolean closed = new AtomicBoolean();

    private Guests guests = new Guests(LONG, () -> closed.set(true));

    @AfterEach
    void close() {
        guests.close();
    }

    @Test
    void givesTheLowestPlaceThatIsFree() {
        assertThat(guests.arrive()).hasValue(0);
        assertThat(guests.arrive()).hasValue(1);
        assertThat(guests.arrive()).hasValue(2);

        guests.leave(1, true);

        assertThat(guests.arrive()).hasValue(1);
        assertThat(closed).isFalse();
    }

    @Test
    void closesAtOnceWhenTheLastOneLeavesInOrder() {
        guests.arrive();
        guests.arrive();
        guests.leave(0, true);
        assertThat(closed).isFalse();

        guests.leave(1, true);

        await().untilTrue(closed);
        assertThat(guests.arrive()).isEqualTo(OptionalInt.empty());
    }

    @Test
    void waitsForTheNextWhenTheLastOneWasKilled() {
        guests.arrive();
        guests.leave(0, false);

        assertThat(guests.arrive()).hasValue(0);
        assertThat(closed).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closesWhenNobodyComesFor(boolean somebodyCame) {
        guests.close();
        guests = new Guests(SHORT, () -> closed.set(true));
        if (somebodyCame) {
            guests.arrive();
            guests.leave(0, false);
        }

        await().untilTrue(closed);
    }
}
