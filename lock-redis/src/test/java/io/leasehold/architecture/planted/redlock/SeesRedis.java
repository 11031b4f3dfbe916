package io.leasehold.architecture.planted.redlock;

import org.springframework.data.redis.connection.RedisConnectionFactory;

abstract class SeesRedis implements RedisConnectionFactory {}
