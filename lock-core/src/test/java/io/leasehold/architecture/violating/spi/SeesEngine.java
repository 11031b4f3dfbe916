package io.leasehold.architecture.violating.spi;

import io.leasehold.architecture.violating.engine.SeesMemory;

public class SeesEngine {

    SeesMemory seen = new SeesMemory();
}
