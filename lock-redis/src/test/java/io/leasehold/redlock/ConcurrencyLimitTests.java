package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testsupport.QuietLog;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Removals from a failed node do not all run at the same time. */
class ConcurrencyLimitTests {

    private final NodeReaper.ConcurrencyLimit limit = new NodeReaper.ConcurrencyLimit();

    private final AtomicInteger asked = new AtomicInteger();

    private final QuietLog quiet = new QuietLog("io.leasehold.redlock");

    @AfterEach
    void close() {
        quiet.close();
    }

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

    /** As after an error of the JVM. Otherwise no token would be removed from the node any more. */
    @Test
    void aRequestThatFailsUnexpectedlyTakesNoPlace() {
        IntStream.range(0, 100)
                .forEach(i -> limit.ask(() -> {
                    throw new StackOverflowError();
                }));
        limit.ask(asked::incrementAndGet);
        assertThat(asked).hasValue(1);
    }
}
