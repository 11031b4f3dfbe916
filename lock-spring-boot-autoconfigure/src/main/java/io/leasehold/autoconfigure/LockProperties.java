package io.leasehold.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * What concerns all lockers.
 *
 * @param enabled Whether lockers and the lock aspect are there at all. Without them, annotated methods run unlocked.
 * @param backend Store of all lockers that do not name their own. By default redis, if there is a connection factory.
 */
@ConfigurationProperties("lock")
record LockProperties(
        @DefaultValue("true") boolean enabled, @Nullable String backend) {

    /** Takes an empty name for none. */
    LockProperties {
        backend = StringUtils.hasText(backend) ? backend : null;
    }
}
