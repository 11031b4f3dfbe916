package io.leasehold.architecture.planted.event;

import io.micrometer.core.instrument.MeterRegistry;

public class SeesMicrometer {

    MeterRegistry seen;
}
