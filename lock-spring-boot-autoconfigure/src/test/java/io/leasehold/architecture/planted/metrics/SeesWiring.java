package io.leasehold.architecture.planted.metrics;

import io.leasehold.architecture.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
