/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.redis.lettuce;

import org.jspecify.annotations.NullMarked;
