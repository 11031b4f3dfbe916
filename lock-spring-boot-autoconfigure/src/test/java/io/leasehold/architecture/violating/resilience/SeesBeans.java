package io.leasehold.architecture.violating.resilience;

import org.springframework.beans.factory.BeanFactory;

/** A decorator of stores has no business with beans. */
public class SeesBeans {

    BeanFactory seen;
}
