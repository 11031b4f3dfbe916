/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.redis.fastpath;

import org.jspecify.annotations.NullMarked;
