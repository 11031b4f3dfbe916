package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A process that was paused processes the answers that have arrived before it treats nodes as silent. */
class ResponseTimeoutTests {

    private final VirtualTimer timer = new VirtualTimer();

    private final AtomicInteger ends = new AtomicInteger();

    private long standstillMillis;

    @Test
    void aTimeoutOnTimeIsFinal() {
        begin();
        timer.pass(Duration.ofMillis(199));
        assertThat(ends).hasValue(0);
        timer.pass(Duration.ofMillis(1));
        assertThat(ends).hasValue(1);
        timer.pass(Duration.ofSeconds(10));
        assertThat(ends).hasValue(1);
    }

    @Test
    void aLateTimeoutIsPostponedByItsDelay() {
        begin();
        standstillMillis = 60;
        timer.pass(Duration.ofMillis(259));
        assertThat(ends).hasValue(0);
        timer.pass(Duration.ofMillis(1));
        assertThat(ends).hasValue(1);
    }

    @Test
    void itsLimitIsAboutTwiceTheTime() {
        begin();
        standstillMillis = 170;
        timer.pass(Duration.ofMillis(230));
        assertThat(ends).hasValue(1);
    }

    @Test
    void aCompleteRequestHasNoTimeout() {
        Runnable giveUp = begin();
        standstillMillis = 60;
        timer.pass(Duration.ofMillis(210));
        giveUp.run();
        timer.pass(Duration.ofSeconds(10));
        assertThat(ends).hasValue(0);
    }

    private Runnable begin() {
        return new ResponseTimeout(
                        timer,
                        () -> timer.getAsLong() + TimeUnit.MILLISECONDS.toNanos(standstillMillis),
                        TimeUnit.MILLISECONDS.toNanos(200),
                        ends::incrementAndGet)
                .begin();
    }
}
