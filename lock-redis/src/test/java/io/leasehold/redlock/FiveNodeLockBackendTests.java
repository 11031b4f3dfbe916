package io.leasehold.redlock;

/** Five nodes in memory satisfy the contract. */
class FiveNodeLockBackendTests extends MemoryRedlockContract {

    FiveNodeLockBackendTests() {
        super(5);
    }
}
