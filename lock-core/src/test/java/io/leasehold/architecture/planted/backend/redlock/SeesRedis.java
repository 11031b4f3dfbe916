package io.leasehold.architecture.planted.backend.redlock;

import org.springframework.data.redis.connection.RedisConnectionFactory;

abstract class SeesRedis implements RedisConnectionFactory {}
