/** Tests of the Redis backend, against real servers. */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
