package com.example;

import io.leasehold.LockContext;
import io.leasehold.annotation.DistributedLock;
import org.springframework.stereotype.Service;

@Service
public class BillingService {

    @DistributedLock(locker = "billing", key = "#userId")
    public long charge(long userId) {
        return LockContext.current().orElseThrow().fencingToken();
    }
}
