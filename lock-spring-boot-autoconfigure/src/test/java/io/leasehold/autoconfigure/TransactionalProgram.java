package io.leasehold.autoconfigure;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The same with annotated transactions. */
public class TransactionalProgram extends LockedProgram {

    @Override
    ApplicationContextRunner configure(ApplicationContextRunner runner) {
        return runner.withUserConfiguration(Transactions.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {}
}
