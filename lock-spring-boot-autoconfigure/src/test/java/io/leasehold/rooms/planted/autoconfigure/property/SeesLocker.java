package io.leasehold.rooms.planted.autoconfigure.property;

import io.leasehold.rooms.planted.autoconfigure.locker.SeesRedis;

public class SeesLocker {

    SeesRedis seen;
}
