@NullMarked
package io.leasehold.redis.lettuce;

import org.jspecify.annotations.NullMarked;
