package io.leasehold.architecture.planted.autoconfigure.locker;

import io.leasehold.architecture.planted.autoconfigure.redis.SeesJdbc;

public class SeesRedis {

    SeesJdbc seen;
}
