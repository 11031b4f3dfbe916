package io.leasehold.architecture.planted.backend.jdbc;

import io.lettuce.core.RedisClient;

class SeesLettuce {

    void close(RedisClient seen) {
        seen.close();
    }
}
