package io.leasehold.architecture.planted.redis.fastpath;

import org.springframework.data.redis.connection.RedisConnectionFactory;

abstract class SeesSpring implements RedisConnectionFactory {}
