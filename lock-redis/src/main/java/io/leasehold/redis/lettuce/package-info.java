/**
 * The adapter of Lettuce: connections of the locks' own with settings for locks, scripts over a shared connection, scripts
 * that replicas confirm, and the subscription on which waiting callers are notified.
 *
 * <p>It may use the SPI, {@code io.leasehold.redis.client}, Lettuce and Netty; {@code io.leasehold.redis} and its fast path
 * use it, by {@code LettuceClientAdapter} alone.
 */
@NullMarked
package io.leasehold.redis.lettuce;

import org.jspecify.annotations.NullMarked;
