package io.leasehold.redlock;

/** The collaborators that all operations of one backend share. */
record RedlockResources(
        NodeGroup nodes, GrantedLeases grantedLeases, NodeReaper reaper, FenceEstimator fenceEstimator) {

    RedlockResources(NodeGroup nodes) {
        this(nodes, new NodeReaper(nodes));
    }

    private RedlockResources(NodeGroup nodes, NodeReaper reaper) {
        this(nodes, new GrantedLeases(reaper), reaper, new FenceEstimator());
    }
}
