package io.leasehold.autoconfigure.adapter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Spring Integration over a locker.
 *
 * @param locker Locker from which Spring Integration takes its locks. If set, a LockRegistry bean is defined, unless
 *     the application defines one.
 */
@ConfigurationProperties("lock.integration")
record IntegrationProperties(@Nullable String locker) {

    static final String LOCKER = "lock.integration.locker";
}
