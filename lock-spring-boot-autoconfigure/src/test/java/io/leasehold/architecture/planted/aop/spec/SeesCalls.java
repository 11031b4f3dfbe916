package io.leasehold.architecture.planted.aop.spec;

import io.leasehold.architecture.planted.aop.invocation.SeesTransactions;

public class SeesCalls {

    SeesTransactions seen;
}
