package io.leasehold.architecture.planted.locker;

import io.leasehold.architecture.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
