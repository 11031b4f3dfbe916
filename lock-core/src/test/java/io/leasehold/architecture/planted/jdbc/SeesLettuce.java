package io.leasehold.architecture.planted.jdbc;

import io.lettuce.core.RedisClient;

class SeesLettuce {

    void close(RedisClient seen) {
        seen.close();
    }
}
