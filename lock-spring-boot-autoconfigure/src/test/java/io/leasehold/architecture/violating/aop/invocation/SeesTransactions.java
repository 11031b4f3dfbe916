package io.leasehold.architecture.violating.aop.invocation;

import io.leasehold.architecture.violating.aop.transaction.SeesPublishers;

public class SeesTransactions {

    SeesPublishers seen;
}
