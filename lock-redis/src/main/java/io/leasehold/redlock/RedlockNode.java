package io.leasehold.redlock;

import io.leasehold.spi.QuorumNode;

/**
 * One of the independent stores of a quorum.
 *
 * @param name the unique name of the node in messages, such as its host and port
 */
public record RedlockNode(String name, QuorumNode store) {

    /** Fails if the name is blank. */
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
