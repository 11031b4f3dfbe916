package io.leasehold.architecture.violating.locker;

import io.leasehold.architecture.violating.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
