package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** The same with the health of locks. */
public class HealthProgram extends LockedProgram {

    @Override
    void check(AssertableApplicationContext context) {
        super.check(context);
        assertThat(context).hasBean("locksHealthIndicator");
    }
}
