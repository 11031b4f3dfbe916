package io.leasehold.architecture.violating.redlock;

import org.springframework.data.redis.connection.RedisConnectionFactory;

abstract class SeesRedis implements RedisConnectionFactory {}
