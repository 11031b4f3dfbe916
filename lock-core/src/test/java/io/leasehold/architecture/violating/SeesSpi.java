package io.leasehold.architecture.violating;

import io.leasehold.architecture.violating.spi.SeesEngine;

class SeesSpi {

    Class<?> seen = SeesEngine.class;
}
