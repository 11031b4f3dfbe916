package io.leasehold.architecture.violating.autoconfigure.backend;

import io.leasehold.architecture.violating.autoconfigure.locker.SeesRedis;

public class SeesLocker {

    SeesRedis seen;
}
