package io.leasehold.redlock;

/** Three nodes in memory satisfy the contract. */
class ThreeNodeLockBackendTests extends MemoryRedlockContract {

    ThreeNodeLockBackendTests() {
        super(3);
    }
}
