package io.leasehold.rooms.planted.annotation;

import org.springframework.context.ApplicationContext;

public class SeesSpring {

    ApplicationContext seen;
}
