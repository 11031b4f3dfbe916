/**
 * Spring's {@code CacheManager} over a locker: a value is computed once over all instances. It uses the API of locks,
 * their clock, {@code LockKeyType}, {@code CallerContext} and Spring's interfaces of caches and beans. Applications and
 * the auto-configuration use it.
 */
@NullMarked
package io.leasehold.adapter.cache;

import org.jspecify.annotations.NullMarked;
