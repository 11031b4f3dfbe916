/**
 * The fast path of Redis over Lettuce. It decorates the plain backend, and acquires and releases locks that are free
 * and for which no other caller waits, in scripts that concurrent calls share. Every other case is delegated to the
 * plain backend, so the library works without this package. {@code lock.redis.fast-path=false} disables it at run time.
 *
 * <p>This package may use the SPI, the scripts and keys of {@code io.leasehold.redis.client} and the connection of
 * {@code io.leasehold.redis.lettuce}. Only {@code io.leasehold.redis} uses it.
 */
@NullMarked
package io.leasehold.redis.fastpath;

import org.jspecify.annotations.NullMarked;
