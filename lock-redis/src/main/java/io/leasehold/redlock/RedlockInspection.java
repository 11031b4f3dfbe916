package io.leasehold.redlock;

import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Checks every node for conditions that make locks less safe. A node that does not answer is a finding. */
final class RedlockInspection {

    private RedlockInspection() {}

    static CompletableFuture<List<SafetyFinding>> of(NodeGroup nodes) {
        List<CompletableFuture<ServerIdentity>> identities = nodes.askAll(QuorumNode::serverIdentity);
        List<CompletableFuture<List<SafetyFinding>>> inspections = nodes.askAll(QuorumNode::inspect);
        List<CompletableFuture<?>> all = new ArrayList<>(identities);
        all.addAll(inspections);
        CompletableFuture<List<SafetyFinding>> result = new CompletableFuture<>();
        Scheduler.Task timeout = nodes.scheduler()
                .schedule(() -> all.forEach(each -> each.cancel(true)), 2 * nodes.nodeTimeout(Duration.ofDays(1)));
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            timeout.cancel();
            result.complete(findings(nodes, identities, inspections));
        });
        return result;
    }

    private static List<SafetyFinding> findings(
            NodeGroup nodes,
            List<CompletableFuture<ServerIdentity>> identities,
            List<CompletableFuture<List<SafetyFinding>>> inspections) {
        List<SafetyFinding> findings = new ArrayList<>();
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            String name = nodes.nodes().get(i).name();
            if (identities.get(i).isCompletedExceptionally()) {
                findings.add(new SafetyFinding(
                        "node '" + name + "'", "does not answer", "Locks survive it as long as a quorum answers"));
                continue;
            }
            String twin = seen.putIfAbsent(identities.get(i).join().runId(), name);
            if (twin != null) {
                findings.add(new SafetyFinding(
                        "node '" + name + "'",
                        "is the same server as '" + twin + "', so nothing is locked",
                        "List independent servers"));
            }
            if (!inspections.get(i).isCompletedExceptionally()) {
                inspections
                        .get(i)
                        .join()
                        .forEach(finding -> findings.add(new SafetyFinding(
                                "node '" + name + "', " + finding.subject(), finding.finding(), finding.nextStep())));
            }
        }
        return findings;
    }
}
