package io.leasehold.architecture.planted.adapter.cache;

import io.leasehold.architecture.planted.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
