package io.leasehold.architecture.planted.aop.order;

import io.leasehold.architecture.planted.actuate.SeesBeans;

public class SeesActuator {

    SeesBeans seen;
}
