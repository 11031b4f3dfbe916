package io.leasehold.architecture.violating.aop.reactive;

import io.leasehold.architecture.violating.aop.validation.SeesActuator;

public class SeesValidation {

    SeesActuator seen;
}
