package com.example.lockstore;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import org.junit.jupiter.api.AfterAll;

/** The contract suite on a store of somebody else: all that its maker writes. */
class SocketLockBackendTests extends LockBackendContract {

    private static final LeaseServer SERVER = LeaseServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Override
    protected LockBackend create() {
        return new SocketLockBackend(SERVER.port());
    }

    @Override
    public void wipe() {
        SERVER.clear();
    }

    @Override
    public boolean notifiesWaiters() {
        return false;
    }
}
