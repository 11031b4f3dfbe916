package io.leasehold.architecture.planted.aop.reactive;

import io.leasehold.architecture.planted.aop.validation.SeesActuator;

public class SeesValidation {

    SeesActuator seen;
}
