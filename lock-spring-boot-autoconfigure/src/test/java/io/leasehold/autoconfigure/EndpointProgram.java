package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** The same with the endpoint of locks. */
public class EndpointProgram extends LockedProgram {

    @Override
    void check(AssertableApplicationContext context) {
        super.check(context);
        assertThat(context).hasBean("locksEndpoint");
    }
}
