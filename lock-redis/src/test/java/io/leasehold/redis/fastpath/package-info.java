@NullMarked
package io.leasehold.redis.fastpath;

import org.jspecify.annotations.NullMarked;
