/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.redis.client;

import org.jspecify.annotations.NullMarked;
