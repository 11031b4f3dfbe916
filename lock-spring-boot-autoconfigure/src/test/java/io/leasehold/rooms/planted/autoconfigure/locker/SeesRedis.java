package io.leasehold.rooms.planted.autoconfigure.locker;

import io.leasehold.rooms.planted.autoconfigure.redis.SeesJdbc;

public class SeesRedis {

    SeesJdbc seen;
}
