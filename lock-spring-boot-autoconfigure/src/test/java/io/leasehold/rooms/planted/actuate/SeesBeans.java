package io.leasehold.rooms.planted.actuate;

import org.springframework.beans.factory.BeanFactory;

public class SeesBeans {

    BeanFactory seen;
}
