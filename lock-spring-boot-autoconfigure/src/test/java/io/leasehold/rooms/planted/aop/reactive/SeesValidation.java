package io.leasehold.rooms.planted.aop.reactive;

import io.leasehold.rooms.planted.aop.validation.SeesActuator;

public class SeesValidation {

    SeesActuator seen;
}
