package io.leasehold.autoconfigure;

import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/**
 * Compares the time of day of a store with that of this machine. The store's was read at some moment between the question
 * and the answer, so only what goes beyond that interval counts.
 */
final class ClockOffset {

    private final InstantSource clock;

    private final Duration tolerated;

    private final long askedAt;

    ClockOffset(InstantSource clock, Duration tolerated) {
        this.clock = clock;
        this.tolerated = tolerated;
        this.askedAt = clock.millis();
    }

    List<SafetyFinding> answered(OptionalLong storeMillis) {
        if (storeMillis.isEmpty()) {
            return List.of();
        }
        long ahead = storeMillis.getAsLong() - clock.millis();
        long behind = askedAt - storeMillis.getAsLong();
        if (Math.max(ahead, behind) <= tolerated.toMillis()) {
            return List.of();
        }
        return List.of(new SafetyFinding(
                "clock-offset",
                "the store's clock is " + Math.max(ahead, behind) + " ms " + (ahead > 0 ? "ahead of" : "behind")
                        + " this machine's; locks do not depend on it, but fencing tokens may go back when another server"
                        + " takes over whose clock is right",
                "Synchronise the clocks, or raise 'lock.safety.clock-offset'"));
    }
}
