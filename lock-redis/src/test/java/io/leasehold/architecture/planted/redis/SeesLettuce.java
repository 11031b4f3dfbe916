package io.leasehold.architecture.planted.redis;

import io.lettuce.core.RedisCredentials;

abstract class SeesLettuce implements RedisCredentials {}
