package io.leasehold.architecture.violating.aop.validation;

import io.leasehold.architecture.violating.actuate.SeesBeans;

public class SeesActuator {

    SeesBeans seen;
}
