package io.leasehold.rooms.planted.event;

import io.micrometer.core.instrument.MeterRegistry;

public class SeesMicrometer {

    MeterRegistry seen;
}
