package io.leasehold.redlock;

import io.leasehold.contract.StoreClient;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Nodes in memory, and any number of processes, each with separate connections to all nodes. */
final class Bench {

    static final Duration NODE_TIMEOUT = Duration.ofMillis(200);

    static final Duration LONGEST_TTL = Duration.ofSeconds(60);

    final VirtualTimer timer = new VirtualTimer();

    final List<MemoryNode> nodes;

    private final RedlockLockOptions options;

    Bench(int size) {
        this(size, NODE_TIMEOUT);
    }

    /** Creates nodes. If no node timeout is given, it depends on the ttl. */
    Bench(int size, @Nullable Duration nodeTimeout) {
        this.options = new RedlockLockOptions(nodeTimeout, LONGEST_TTL);
        this.nodes = IntStream.range(0, size)
                .mapToObj(i -> new MemoryNode(timer, Duration.ofMillis(37L * i), false))
                .toList();
    }

    Process process() {
        return new Process();
    }

    long holders(LockId id, Token token) {
        return nodes.stream().filter(node -> token.equals(node.holder(id))).count();
    }

    /** One process: its connections to the nodes, and the backend that uses them. */
    final class Process {

        final List<FaultyNode> ways =
                nodes.stream().map(node -> new FaultyNode(node, timer)).toList();

        final RedlockLockBackend backend;

        final StoreClient client;

        Process() {
            List<RedlockNode> named = IntStream.range(0, ways.size())
                    .mapToObj(i -> new RedlockNode("n" + i, ways.get(i)))
                    .toList();
            backend = new RedlockLockBackend(new NodeGroup(named, options, timer, timer, timer));
            client = new StoreClient(backend, "redlock");
        }
    }
}
