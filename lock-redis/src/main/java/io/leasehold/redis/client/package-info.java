/**
 * Scripts in Redis over any client: the adapter that a client library implements, the keys of a lock, the scripts and
 * their digests, and what an error of Redis means for a command's effect.
 *
 * <p>It may use the SPI and spring-data-redis, and no client library directly; the other packages below
 * {@code io.leasehold.redis} use it.
 */
@NullMarked
package io.leasehold.redis.client;

import org.jspecify.annotations.NullMarked;
