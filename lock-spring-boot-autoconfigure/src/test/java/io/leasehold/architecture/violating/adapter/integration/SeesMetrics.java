package io.leasehold.architecture.violating.adapter.integration;

import io.leasehold.architecture.violating.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
