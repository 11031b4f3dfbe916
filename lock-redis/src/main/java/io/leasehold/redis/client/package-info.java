/**
 * Scripts in Redis over any client: the adapter that a client library implements, the keys of a lock, the scripts and
 * their digests, and the classification of errors.
 *
 * <p>This package may use the SPI and spring-data-redis, and no client library directly. The other packages below
 * {@code io.leasehold.redis} use it.
 */
@NullMarked
package io.leasehold.redis.client;

import org.jspecify.annotations.NullMarked;
