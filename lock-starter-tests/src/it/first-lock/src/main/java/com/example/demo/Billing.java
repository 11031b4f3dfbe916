package com.example.demo;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import org.springframework.stereotype.Service;

@Service
public class Billing {

    @DistributedLock(locker = "billing", key = "#user.id")
    public String charge(User user) {
        LockHandle lock = LockContext.current().orElseThrow();
        return "charged user " + user.id() + " under " + lock.key() + ", token " + lock.fencingToken();
    }
}
