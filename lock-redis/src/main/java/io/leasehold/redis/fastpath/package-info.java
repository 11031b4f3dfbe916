/**
 * The fast path of Redis over Lettuce: a decorator around the plain backend that acquires and releases locks which are
 * free and which no other caller waits for, with fewer or shared round trips. Every other case goes to the plain backend,
 * so taking this package away leaves working code; {@code lock.redis.fast-path=false} does it at run time.
 *
 * <p>It may use the SPI, the scripts and keys of {@code io.leasehold.redis.client} and the connection of
 * {@code io.leasehold.redis.lettuce}; only {@code io.leasehold.redis} uses it.
 */
@NullMarked
package io.leasehold.redis.fastpath;

import org.jspecify.annotations.NullMarked;
