package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Removals from a failed node do not all run at the same time. */
class ConcurrencyLimitTests {

    private final NodeReaper.ConcurrencyLimit limit = new NodeReaper.ConcurrencyLimit();

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void onlySomeRunAtTheSameTime() {
        IntStream.range(0, 100).forEach(i -> limit.ask(asked::incrementAndGet));
        assertThat(asked).hasValue(NodeReaper.ConcurrencyLimit.AT_ONCE);
    }

    @Test
    void anAnsweredRequestMakesRoomForTheNext() {
        IntStream.range(0, 100).forEach(i -> limit.ask(asked::incrementAndGet));
        IntStream.range(0, 100).forEach(i -> limit.answered());
        assertThat(asked).hasValue(100);
    }

    @Test
    void thousandsOfImmediateAnswersDoNotOverflowTheStack() {
        IntStream.range(0, NodeReaper.ConcurrencyLimit.AT_ONCE).forEach(i -> limit.ask(() -> {}));
        IntStream.range(0, 100_000)
                .forEach(i -> limit.ask(() -> {
                    asked.incrementAndGet();
                    limit.answered();
                }));
        limit.answered();
        assertThat(asked).hasValue(100_000);
    }
}
