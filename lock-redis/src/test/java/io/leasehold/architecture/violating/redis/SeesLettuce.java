package io.leasehold.architecture.violating.redis;

import io.lettuce.core.RedisCredentials;

abstract class SeesLettuce implements RedisCredentials {}
