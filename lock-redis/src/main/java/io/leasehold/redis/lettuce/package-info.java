/**
 * The adapter of Lettuce: separate connections with settings for locks, scripts over a shared connection, scripts that
 * replicas confirm, and the subscription that notifies waiting callers.
 *
 * <p>This package may use the SPI, {@code support}, {@code io.leasehold.redis.client}, spring-data-redis, Lettuce and
 * Netty. {@code io.leasehold.redis} and its fast path use it only through {@code LettuceClientAdapter}.
 */
@NullMarked
package io.leasehold.redis.lettuce;

import org.jspecify.annotations.NullMarked;
