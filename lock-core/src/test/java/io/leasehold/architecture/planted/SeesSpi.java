package io.leasehold.architecture.planted;

import io.leasehold.architecture.planted.spi.SeesEngine;

class SeesSpi {

    Class<?> seen = SeesEngine.class;
}
