package io.leasehold.architecture.violating.adapter.cache;

import io.leasehold.architecture.violating.metrics.SeesWiring;

public class SeesMetrics {

    SeesWiring seen;
}
