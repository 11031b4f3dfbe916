package io.leasehold.architecture.violating.adapter.shedlock;

import io.leasehold.architecture.violating.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
