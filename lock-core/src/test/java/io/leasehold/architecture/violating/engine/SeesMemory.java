package io.leasehold.architecture.violating.engine;

import io.leasehold.architecture.violating.memory.SeesLogger;
import io.leasehold.architecture.violating.spi.SeesEngine;

public class SeesMemory {

    SeesLogger seen(SeesEngine allowed) {
        return new SeesLogger();
    }
}
