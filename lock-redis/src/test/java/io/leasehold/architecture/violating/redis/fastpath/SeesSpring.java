package io.leasehold.architecture.violating.redis.fastpath;

import org.springframework.data.redis.connection.RedisConnectionFactory;

abstract class SeesSpring implements RedisConnectionFactory {}
