package io.leasehold.architecture.violating.autoconfigure.locker;

import io.leasehold.architecture.violating.autoconfigure.redis.SeesJdbc;

public class SeesRedis {

    SeesJdbc seen;
}
