package io.leasehold.architecture.violating.observation;

import io.leasehold.architecture.violating.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
