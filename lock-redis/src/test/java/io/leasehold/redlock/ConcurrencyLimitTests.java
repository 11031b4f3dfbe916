package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is to be removed from a node that is down does not all ask it at the same time. */
class ConcurrencyLimitTests {

    private final NodeReaper.ConcurrencyLimit lane = new NodeReaper.ConcurrencyLimit();

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void onlySomeAskAtTheSameTime() {
        IntStream.range(0, 100).forEach(i -> lane.ask(asked::incrementAndGet));
        assertThat(asked).hasValue(NodeReaper.ConcurrencyLimit.AT_ONCE);
    }

    @Test
    void whoeverIsAnsweredMakesRoomForTheNext() {
        IntStream.range(0, 100).forEach(i -> lane.ask(asked::incrementAndGet));
        IntStream.range(0, 100).forEach(i -> lane.answered());
        assertThat(asked).hasValue(100);
    }

    @Test
    void thousandsOfAnswersThatComeAtOnceDoNotOverflowTheStack() {
        IntStream.range(0, NodeReaper.ConcurrencyLimit.AT_ONCE).forEach(i -> lane.ask(() -> {}));
        IntStream.range(0, 100_000)
                .forEach(i -> lane.ask(() -> {
                    asked.incrementAndGet();
                    lane.answered();
                }));
        lane.answered();
        assertThat(asked).hasValue(100_000);
    }
}
