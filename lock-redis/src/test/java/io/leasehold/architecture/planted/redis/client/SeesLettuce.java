package io.leasehold.architecture.planted.redis.client;

import io.lettuce.core.RedisCredentials;

abstract class SeesLettuce implements RedisCredentials {}
