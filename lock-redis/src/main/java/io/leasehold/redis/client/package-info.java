/**
 * Scripts in Redis over any client: the adapter that a client library implements, the keys of a lock, the scripts and
 * their digests, calls that a caller can cancel, wake-ups, and the classification of errors.
 *
 * <p>This package may use the SPI, {@code support} and spring-data-redis. Of the client libraries it uses only Jedis,
 * and of that only the type of a connection and the settings of a pool. {@code io.leasehold.redis} and its other
 * packages use this one.
 */
@NullMarked
package io.leasehold.redis.client;

import org.jspecify.annotations.NullMarked;
