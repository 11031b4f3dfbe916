package io.leasehold.architecture.planted.actuate;

import org.springframework.beans.factory.BeanFactory;

public class SeesBeans {

    BeanFactory seen;
}
