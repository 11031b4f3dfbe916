package io.leasehold.autoconfigure;

import java.time.Duration;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Writes durations as users write them in properties. */
final class Durations {

    private Durations() {}

    static String print(Object value) {
        return value instanceof Duration duration
                ? DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE)
                : "'" + value + "'";
    }
}
