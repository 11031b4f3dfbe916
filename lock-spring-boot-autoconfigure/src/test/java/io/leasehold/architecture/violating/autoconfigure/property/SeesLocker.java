package io.leasehold.architecture.violating.autoconfigure.property;

import io.leasehold.architecture.violating.autoconfigure.locker.SeesRedis;

public class SeesLocker {

    SeesRedis seen;
}
