package io.leasehold.rooms.planted.metrics;

import io.leasehold.rooms.planted.autoconfigure.SeesNetty;

public class SeesWiring {

    SeesNetty seen;
}
