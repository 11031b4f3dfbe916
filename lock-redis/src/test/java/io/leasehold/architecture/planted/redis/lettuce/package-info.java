/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.redis.lettuce;

import org.jspecify.annotations.NullMarked;
