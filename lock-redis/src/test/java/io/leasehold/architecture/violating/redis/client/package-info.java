/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.redis.client;

import org.jspecify.annotations.NullMarked;
