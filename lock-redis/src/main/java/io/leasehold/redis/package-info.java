/**
 * Locks in one Redis, in a Redis Cluster, or in a Redis behind Sentinels. The algorithm is the canonical
 * {@code SET key token NX PX ttl} with compare-and-delete, in scripts that also assign fencing tokens, and notify the
 * next waiter or grant it the lock. This package contains the plain backend for any client. {@code client} runs its
 * scripts, {@code lettuce} is the adapter of Lettuce, and {@code fastpath} decorates the backend for free locks. This
 * package may use these three, the API, the SPI, {@code support} and spring-data-redis.
 *
 * <p>The lock key is {@code namespace:key} with an opaque value. Every client that implements the same algorithm
 * excludes this library and is excluded by it. The other keys of a lock are in the same cluster slot:
 * {@code {namespace:key}:fence}, {@code {namespace:key}:queue} and {@code {namespace:key}:queue:<token>}. The records
 * {@code leasehold-instance-<id>} and {@code leasehold-master} belong to no lock.
 *
 * <p>A Redis that loses writes breaks mutual exclusion. Examples are a master that fails before a replica has the lock,
 * a restart without persistence, and an eviction policy that removes keys with a ttl. The holder then detects the loss
 * at its next renewal. Fencing tokens still increase, because they are seeded from the server's clock.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
