package io.leasehold.architecture.violating.redis.client;

import io.lettuce.core.RedisCredentials;

abstract class SeesLettuce implements RedisCredentials {}
