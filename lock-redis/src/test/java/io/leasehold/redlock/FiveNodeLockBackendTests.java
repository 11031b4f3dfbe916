package io.leasehold.redlock;

/** Five nodes in memory keep the contract. */
class FiveNodeLockBackendTests extends MemoryRedlockContract {

    FiveNodeLockBackendTests() {
        super(5);
    }
}
