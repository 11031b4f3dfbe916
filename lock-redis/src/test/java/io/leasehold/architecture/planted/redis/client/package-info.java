/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.redis.client;

import org.jspecify.annotations.NullMarked;
