package io.leasehold.architecture.violating.event;

import io.micrometer.core.instrument.MeterRegistry;

public class SeesMicrometer {

    MeterRegistry seen;
}
