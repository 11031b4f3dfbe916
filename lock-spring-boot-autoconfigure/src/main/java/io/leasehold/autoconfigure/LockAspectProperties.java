package io.leasehold.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The aspect that runs annotated methods under their locks.
 *
 * @param enabled Whether annotated methods are locked. If not, they run unlocked.
 * @param order Order among other advice; lower is further outside. Has to be lower than that of transactions.
 * @param mode How calls are intercepted.
 */
@ConfigurationProperties(prefix = "lock.aspect", ignoreUnknownFields = false)
record LockAspectProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2147483547") int order,
        @DefaultValue("proxy") Mode mode) {

    /** How calls are intercepted. */
    enum Mode {

        /** By Spring's proxies: calls from other beans. */
        PROXY,

        /** By load-time weaving with AspectJ's agent: also calls within an object. */
        ASPECTJ
    }
}
