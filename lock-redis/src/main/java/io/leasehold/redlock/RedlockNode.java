package io.leasehold.redlock;

import io.leasehold.spi.QuorumNode;

/**
 * One of the independent stores.
 *
 * @param name what it is called in messages, such as its host and port; no two nodes have the same
 * @param store the store
 */
public record RedlockNode(String name, QuorumNode store) {

    /** Refuses a name that says nothing. */
    public RedlockNode {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' of a node must not be blank");
        }
    }

    @Override
    public String toString() {
        return "node '" + name + "'";
    }
}
