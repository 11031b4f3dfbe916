package io.leasehold.benchmarks.jmh;

import io.leasehold.annotation.DistributedLock;

class LockedWork implements Work {

    @Override
    @DistributedLock(key = "#user")
    public long work(String user) {
        return user.length();
    }
}
