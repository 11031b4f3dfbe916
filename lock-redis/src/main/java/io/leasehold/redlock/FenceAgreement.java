package io.leasehold.redlock;

import io.leasehold.spi.AcquireCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Records fencing tokens on the nodes. Completes with true as soon as a quorum has recorded them, and with false if no
 * quorum can.
 */
final class FenceAgreement extends CompletableFuture<Boolean> {

    private final NodeGroup nodes;

    private int recorded;

    private int failed;

    private FenceAgreement(NodeGroup nodes) {
        this.nodes = nodes;
    }

    static FenceAgreement begin(NodeGroup nodes, AcquireCommand command, long firstFence) {
        FenceAgreement agreement = new FenceAgreement(nodes);
        List<CompletableFuture<Boolean>> asked = nodes.askAll(store -> store.recordFencingToken(command, firstFence));
        for (CompletableFuture<Boolean> each : asked) {
            each.whenComplete((there, failure) -> agreement.answered(Boolean.TRUE.equals(there)));
        }
        Runnable timeout = nodes.afterNodeTimeout(command.ttl(), () -> asked.forEach(each -> each.cancel(true)));
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> timeout.run());
        return agreement;
    }

    private void answered(boolean there) {
        boolean enough;
        boolean tooFew;
        synchronized (this) {
            recorded += there ? 1 : 0;
            failed += there ? 0 : 1;
            enough = recorded >= nodes.quorum();
            tooFew = nodes.leavesNoQuorum(failed);
        }
        if (enough || tooFew) {
            complete(enough);
        }
    }
}
