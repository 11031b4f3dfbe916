package io.leasehold.architecture.violating.aop.spec;

import io.leasehold.architecture.violating.aop.invocation.SeesTransactions;

public class SeesCalls {

    SeesTransactions seen;
}
