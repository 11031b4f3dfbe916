package io.leasehold.architecture.planted.context;

import io.leasehold.architecture.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
