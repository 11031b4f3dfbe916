package io.leasehold.aop;

import io.leasehold.annotation.DistributedLock;

/** Not in the packages that are woven for the programs in {@code com.example}. */
public class NotWoven {

    @DistributedLock("'key'")
    public void work() {}
}
