package io.leasehold.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Groups of nodes that no store is behind. */
final class NodeGroups {

    private NodeGroups() {}

    /** Returns three nodes with a longest ttl of 30 s, at a time that stands still. */
    static NodeGroup ofThree() {
        VirtualTimer timer = new VirtualTimer();
        List<RedlockNode> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(new RedlockNode("node-" + i, new MemoryNode(() -> 0, Duration.ZERO, true)));
        }
        RedlockLockOptions options = new RedlockLockOptions(Duration.ofSeconds(1), Duration.ofSeconds(30));
        return new NodeGroup(nodes, options, () -> 0, timer, timer);
    }
}
