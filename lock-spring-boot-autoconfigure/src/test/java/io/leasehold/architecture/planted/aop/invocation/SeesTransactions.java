package io.leasehold.architecture.planted.aop.invocation;

import io.leasehold.architecture.planted.aop.transaction.SeesPublishers;

public class SeesTransactions {

    SeesPublishers seen;
}
