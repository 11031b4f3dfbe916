package io.leasehold.redlock;

/** Three nodes in memory keep the contract. */
class ThreeNodeLockBackendTests extends MemoryRedlockContract {

    ThreeNodeLockBackendTests() {
        super(3);
    }
}
