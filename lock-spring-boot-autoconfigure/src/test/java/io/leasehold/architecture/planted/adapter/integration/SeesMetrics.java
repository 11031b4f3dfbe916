package io.leasehold.architecture.planted.adapter.integration;

import io.leasehold.architecture.planted.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
