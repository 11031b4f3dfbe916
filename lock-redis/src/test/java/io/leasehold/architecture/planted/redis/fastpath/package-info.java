/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.redis.fastpath;

import org.jspecify.annotations.NullMarked;
