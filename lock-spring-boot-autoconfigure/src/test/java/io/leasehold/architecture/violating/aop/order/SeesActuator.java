package io.leasehold.architecture.violating.aop.order;

import io.leasehold.architecture.violating.actuate.SeesBeans;

public class SeesActuator {

    SeesBeans seen;
}
