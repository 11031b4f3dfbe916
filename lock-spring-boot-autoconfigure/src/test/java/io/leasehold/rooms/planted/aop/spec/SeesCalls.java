package io.leasehold.rooms.planted.aop.spec;

import io.leasehold.rooms.planted.aop.invocation.SeesTransactions;

public class SeesCalls {

    SeesTransactions seen;
}
