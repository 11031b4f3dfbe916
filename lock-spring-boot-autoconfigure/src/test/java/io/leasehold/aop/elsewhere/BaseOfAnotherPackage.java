package io.leasehold.aop.elsewhere;

import io.leasehold.annotation.DistributedLock;

/** A superclass whose method no class of another package can override. */
public class BaseOfAnotherPackage {

    @DistributedLock("'key'")
    void work() {}
}
