package io.leasehold.support;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of a ttl that an ordinary pause outlasts. */
public final class ShortTtl {

    private static final Logger log = LoggerFactory.getLogger(ShortTtl.class);

    private static final Duration SHORT = Duration.ofSeconds(1);

    private ShortTtl() {}

    /**
     * Logs a warning if a ttl is less than a second.
     *
     * @param subject where the ttl is set, the begin of the message
     */
    public static void warn(String subject, Duration ttl) {
        if (ttl.compareTo(SHORT) < 0) {
            log.warn(
                    "{} is less than a second: a pause of the JVM or of the network of {} ms loses the lock while its holder"
                            + " works. 30s suits most locks, since those that are held are renewed",
                    subject,
                    ttl.toMillis());
        }
    }
}
