package io.leasehold.architecture.planted.spi;

import io.leasehold.architecture.planted.engine.SeesMemory;

public class SeesEngine {

    SeesMemory seen = new SeesMemory();
}
