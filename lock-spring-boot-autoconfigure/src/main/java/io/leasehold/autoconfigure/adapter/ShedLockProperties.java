package io.leasehold.autoconfigure.adapter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * ShedLock over a locker.
 *
 * @param locker Locker from which ShedLock takes its locks. If set, a LockProvider bean is defined, unless the
 *     application defines one.
 */
@ConfigurationProperties("lock.shedlock")
record ShedLockProperties(@Nullable String locker) {

    static final String LOCKER = "lock.shedlock.locker";
}
