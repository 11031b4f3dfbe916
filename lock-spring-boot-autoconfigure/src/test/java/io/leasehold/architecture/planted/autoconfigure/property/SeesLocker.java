package io.leasehold.architecture.planted.autoconfigure.property;

import io.leasehold.architecture.planted.autoconfigure.locker.SeesRedis;

public class SeesLocker {

    SeesRedis seen;
}
