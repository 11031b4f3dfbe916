package io.leasehold.architecture.planted.aop;

import io.leasehold.architecture.planted.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
