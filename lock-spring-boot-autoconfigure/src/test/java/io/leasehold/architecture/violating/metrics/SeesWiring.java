package io.leasehold.architecture.violating.metrics;

import io.leasehold.architecture.violating.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
