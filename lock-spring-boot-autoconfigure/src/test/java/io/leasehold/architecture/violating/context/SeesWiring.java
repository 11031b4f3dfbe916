package io.leasehold.architecture.violating.context;

import io.leasehold.architecture.violating.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
