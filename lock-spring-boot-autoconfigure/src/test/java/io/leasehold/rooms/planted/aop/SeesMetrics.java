package io.leasehold.rooms.planted.aop;

import io.leasehold.rooms.planted.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
