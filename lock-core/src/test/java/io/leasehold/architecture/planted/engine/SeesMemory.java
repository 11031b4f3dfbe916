package io.leasehold.architecture.planted.engine;

import io.leasehold.architecture.planted.memory.SeesLogger;
import io.leasehold.architecture.planted.spi.SeesEngine;

public class SeesMemory {

    SeesLogger seen(SeesEngine allowed) {
        return new SeesLogger();
    }
}
