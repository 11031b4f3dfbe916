package io.leasehold.architecture.violating.aop;

import io.leasehold.architecture.violating.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
