package io.leasehold.architecture.planted.adapter.shedlock;

import io.leasehold.architecture.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
