package io.leasehold.redlock;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The contract over nodes in memory. The test moves their clocks. */
abstract class MemoryRedlockContract extends LockBackendContract {

    private final VirtualTimer timer = new VirtualTimer();

    private final List<MemoryNode> nodes;

    MemoryRedlockContract(int size) {
        nodes = IntStream.range(0, size)
                .mapToObj(i -> new MemoryNode(timer, Duration.ofMillis(i), true))
                .toList();
    }

    @Override
    protected LockBackend create() {
        List<RedlockNode> ways = IntStream.range(0, nodes.size())
                .mapToObj(i -> new RedlockNode("n" + i, new FaultyNode(nodes.get(i), timer)))
                .toList();
        return new RedlockLockBackend(new NodeGroup(
                ways, new RedlockLockOptions(Duration.ofSeconds(1), Duration.ofDays(31)), timer, timer, timer));
    }

    @Override
    public void wipe() {
        timer.pass(Duration.ofMillis(10));
        nodes.forEach(MemoryNode::wipe);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public boolean concurrentRepeatsAgree() {
        return false;
    }

    @Override
    public void passTime(Duration time) {
        timer.pass(time);
    }
}
