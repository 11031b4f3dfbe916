/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.redis.lettuce;

import org.jspecify.annotations.NullMarked;
