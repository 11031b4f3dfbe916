package io.leasehold.backend.jdbc;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseCommand;
import java.time.Duration;

/**
 * How long a calling thread may be held.
 *
 * @param longest zero for not at all
 * @param endsWithInterrupt whether it comes back at once when it is interrupted
 */
record Patience(Duration longest, boolean endsWithInterrupt) {

    static Patience of(AcquireCommand command) {
        return new Patience(command.patience(), true);
    }

    static Patience of(ReleaseCommand command) {
        return new Patience(command.patience(), false);
    }

    boolean isNone() {
        return longest.isZero();
    }
}
