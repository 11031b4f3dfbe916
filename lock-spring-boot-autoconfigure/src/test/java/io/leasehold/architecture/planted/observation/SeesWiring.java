package io.leasehold.architecture.planted.observation;

import io.leasehold.architecture.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
