package io.leasehold.architecture.violating.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.function.LongSupplier;

class ReadsClocks {

    long nanoTime() {
        return System.nanoTime();
    }

    long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    LongSupplier reference() {
        return System::nanoTime;
    }

    Instant now() {
        return Instant.now();
    }

    LocalDate today() {
        return LocalDate.now();
    }

    Clock clock() {
        return Clock.systemUTC();
    }

    Instant fromOutside(Clock clock) {
        return Instant.now(clock);
    }
}
