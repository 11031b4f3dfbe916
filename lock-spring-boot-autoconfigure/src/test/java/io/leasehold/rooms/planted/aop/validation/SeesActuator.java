package io.leasehold.rooms.planted.aop.validation;

import io.leasehold.rooms.planted.actuate.SeesBeans;

public class SeesActuator {

    SeesBeans seen;
}
