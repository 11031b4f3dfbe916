package io.leasehold.architecture.violating.redis.lettuce;

import io.leasehold.redis.fastpath.RedisFastPath;
import org.jspecify.annotations.Nullable;

abstract class SeesFastPath {

    @Nullable
    RedisFastPath path;
}
