package io.leasehold.architecture.planted.aop.validation;

import io.leasehold.architecture.planted.actuate.SeesBeans;

public class SeesActuator {

    SeesBeans seen;
}
