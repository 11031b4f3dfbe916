package io.leasehold.redlock;

/** What the operations of one backend share. */
record Parts(Ensemble nodes, Holdings holdings, Removals removals, FenceProposals proposals) {

    Parts(Ensemble nodes) {
        this(nodes, new Holdings(), new Removals(nodes), new FenceProposals());
    }
}
