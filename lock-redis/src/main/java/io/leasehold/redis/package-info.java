/**
 * Locks in one Redis, or in a Redis Cluster or behind Sentinels as one store: the canonical {@code SET key token NX PX ttl}
 * with compare-and-delete, as scripts that also mint fencing tokens and wake the next waiter. This package is the plain
 * way over any client; {@code client} runs its scripts, {@code lettuce} is the adapter of Lettuce, and {@code fastpath}
 * decorates it where locks are free. It may use these three, the SPI and spring-data-redis.
 *
 * <p>The lock key is plain {@code namespace:key} with an opaque value, so every client that follows the same algorithm
 * excludes this library and is excluded by it. What else there is lives in the same cluster slot: {@code
 * {namespace:key}:fence} and {@code {namespace:key}:queue}.
 *
 * <p>What can break it: a Redis that loses writes. A master that fails before a replica has the lock, a restart without
 * persistence, an eviction policy that removes keys with a ttl. The holder then learns of the loss at its next renewal,
 * and fencing tokens still rise, because they are seeded from the server's clock.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
