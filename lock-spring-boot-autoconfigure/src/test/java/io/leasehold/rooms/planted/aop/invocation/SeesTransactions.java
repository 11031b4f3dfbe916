package io.leasehold.rooms.planted.aop.invocation;

import io.leasehold.rooms.planted.aop.transaction.SeesPublishers;

public class SeesTransactions {

    SeesPublishers seen;
}
