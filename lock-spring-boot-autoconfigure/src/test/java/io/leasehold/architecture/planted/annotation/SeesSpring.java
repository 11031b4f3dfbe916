package io.leasehold.architecture.planted.annotation;

import org.springframework.context.ApplicationContext;

public class SeesSpring {

    ApplicationContext seen;
}
