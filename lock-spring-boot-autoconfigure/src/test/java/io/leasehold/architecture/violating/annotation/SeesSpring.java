package io.leasehold.architecture.violating.annotation;

import org.springframework.context.ApplicationContext;

public class SeesSpring {

    ApplicationContext seen;
}
