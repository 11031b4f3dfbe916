package io.leasehold.test.autoconfigure;

import io.leasehold.test.TestLocks;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Resets {@link TestLocks} after each test method, because contexts are shared between tests. */
final class TestLocksResetListener extends AbstractTestExecutionListener {

    /** Runs after the listeners of Spring have ended the test's transaction, whose locks end with it. */
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(TestLocks.class).ifAvailable(TestLocks::reset);
        }
    }
}
