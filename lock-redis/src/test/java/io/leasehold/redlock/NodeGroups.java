package io.leasehold.redlock;

import io.leasehold.spi.QuorumNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Groups of nodes that no store is behind. */
final class NodeGroups {

    private NodeGroups() {}

    /** Returns three nodes with a longest ttl of 30 s, at a time that stands still. */
    static NodeGroup ofThree() {
        return of(Stream.<QuorumNode>generate(() -> new MemoryNode(() -> 0, Duration.ZERO, true))
                .limit(3)
                .toList());
    }

    /** Returns the given nodes with a longest ttl of 30 s, at a time that stands still. */
    static NodeGroup of(List<? extends QuorumNode> stores) {
        VirtualTimer timer = new VirtualTimer();
        List<RedlockNode> nodes = new ArrayList<>();
        for (QuorumNode store : stores) {
            nodes.add(new RedlockNode("node-" + nodes.size(), store));
        }
        RedlockLockOptions options = new RedlockLockOptions(Duration.ofSeconds(1), Duration.ofSeconds(30));
        return new NodeGroup(nodes, options, () -> 0, timer, timer);
    }
}
