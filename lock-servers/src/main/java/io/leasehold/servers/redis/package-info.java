/** redis-server alone, with sentinels, and as a cluster. It uses {@code io.leasehold.servers} and no client library. */
@NullMarked
package io.leasehold.servers.redis;

import org.jspecify.annotations.NullMarked;
