package io.leasehold.architecture.planted.resilience;

import org.springframework.beans.factory.BeanFactory;

/** A decorator of stores has no business with beans. */
public class SeesBeans {

    BeanFactory seen;
}
