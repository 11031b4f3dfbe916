@NullMarked
package io.leasehold.redis.client;

import org.jspecify.annotations.NullMarked;
