package io.leasehold.architecture.violating.actuate;

import org.springframework.beans.factory.BeanFactory;

public class SeesBeans {

    BeanFactory seen;
}
