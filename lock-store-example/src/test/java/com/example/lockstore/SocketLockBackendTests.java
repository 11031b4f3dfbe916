package com.example.lockstore;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;

/** An example of docs/testing.md: the whole test of a store that is not part of this project. */
class SocketLockBackendTests extends LockBackendContract {

    @AutoClose
    private static final LeaseServer SERVER = LeaseServer.start();

    @Override
    protected LockBackend create() {
        return new SocketLockBackend(SERVER.port());
    }

    @Override
    public void wipe() {
        SERVER.clear();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }
}
