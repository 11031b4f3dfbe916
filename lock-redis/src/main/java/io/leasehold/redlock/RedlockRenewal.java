package io.leasehold.redlock;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.support.UnansweredRenewals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One batch of renewals, sent to all nodes at the same time.
 *
 * <ol>
 *   <li>A lease is renewed when a quorum of nodes has renewed it. It is lost as soon as so many nodes do not have it,
 *     or have taken it from its holder, that no quorum is possible. The batch then does not wait for other nodes on
 *       behalf of this lease.
 *   <li>The renewal of any other lease is unknown, after all nodes have answered or after the node timeout.
 *   <li>If a quorum has renewed a lease, it is requested again from the nodes that do not have it because they were
 *       down, were slow or lost it.
 * </ol>
 */
final class RedlockRenewal extends CompletableFuture<List<RenewAnswer>> {

    private final RedlockResources resources;

    private final NodeGroup nodes;

    private final List<RenewCommand> commands;

    private final List<@Nullable List<RenewAnswer>> answers;

    private final RenewAnswer[] decided;

    private int undecided;

    private int answered;

    private boolean ended;

    /** The last failure of a node. */
    private @Nullable Throwable failure;

    private @Nullable RedlockNode failedNode;

    RedlockRenewal(RedlockResources resources, List<RenewCommand> commands) {
        this.resources = resources;
        this.nodes = resources.nodes();
        this.commands = List.copyOf(commands);
        this.answers = new ArrayList<>();
        this.decided = new RenewAnswer[commands.size()];
        this.undecided = commands.size();
        Arrays.fill(decided, RenewAnswer.UNKNOWN);
        nodes.nodes().forEach(node -> answers.add(null));
    }

    RedlockRenewal begin() {
        // a lease near its maximum hold time has a short ttl, which must not shorten the wait for the others
        Duration longest = commands.stream()
                .map(RenewCommand::ttl)
                .max(Duration::compareTo)
                .orElseThrow();
        List<CompletableFuture<List<RenewAnswer>>> asked = nodes.askAll(store -> store.renew(commands));
        for (int i = 0; i < asked.size(); i++) {
            int node = i;
            asked.get(i).whenComplete((answer, ex) -> answered(node, answer, ex));
        }
        nodes.unlessAllEnd(asked, nodes.nodeTimeout(longest), () -> timeUp(asked));
        return this;
    }

    /** Gives the caller what the nodes have answered. It may give up on a whole batch earlier than on a node. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isAnswered()) {
            end();
        }
        return super.cancel(mayInterruptIfRunning);
    }

    private void timeUp(List<CompletableFuture<List<RenewAnswer>>> asked) {
        end();
        asked.forEach(each -> each.cancel(true));
    }

    private void answered(int node, @Nullable List<RenewAnswer> answer, @Nullable Throwable ex) {
        boolean isEnd;
        synchronized (this) {
            answered++;
            if (answer != null && answer.size() == commands.size()) {
                answers.set(node, answer);
                decide();
            } else if (ex != null) {
                failure = ex;
                failedNode = nodes.nodes().get(node);
            }
            isEnd = undecided == 0 || answered == nodes.size();
            if (ended) {
                isEnd = false;
            } else if (!isEnd) {
                return;
            }
        }
        if (isEnd) {
            end();
        } else {
            topUp(node);
        }
    }

    private void decide() {
        for (int lease = 0; lease < decided.length; lease++) {
            if (decided[lease] == RenewAnswer.UNKNOWN) {
                if (count(lease, RenewAnswer.RENEWED) >= nodes.quorum()) {
                    decided[lease] = RenewAnswer.RENEWED;
                    undecided--;
                } else if (nodes.leavesNoQuorum(
                        count(lease, RenewAnswer.NOT_OWNER) + count(lease, RenewAnswer.REVOKED))) {
                    boolean revoked = count(lease, RenewAnswer.REVOKED) > 0;
                    decided[lease] = revoked ? RenewAnswer.REVOKED : RenewAnswer.NOT_OWNER;
                    undecided--;
                }
            }
        }
    }

    private int count(int lease, RenewAnswer wanted) {
        int count = 0;
        for (List<RenewAnswer> answer : answers) {
            count += answer != null && answer.get(lease) == wanted ? 1 : 0;
        }
        return count;
    }

    private void end() {
        boolean isAnswered;
        RenewAnswer[] result;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            result = decided.clone();
            isAnswered = isAnswered();
        }
        if (!isAnswered) {
            completeExceptionally(new BackendFailure(Effect.UNKNOWN, "no node answered: " + failure, failure));
            return;
        }
        complete(List.of(result));
        // afterwards: the holder knows of the loss before a node grants the lock to another one
        for (int lease = 0; lease < result.length; lease++) {
            RenewCommand command = commands.get(lease);
            switch (result[lease]) {
                case NOT_OWNER -> resources.grantedLeases().lose(command.id(), command.token());
                case REVOKED -> resources.grantedLeases().revoke(command.token());
                case RENEWED, UNKNOWN -> {}
            }
        }
        for (int node = 0; node < nodes.size(); node++) {
            topUp(node);
        }
        // last: an appender may block
        UnansweredRenewals.log(
                RedlockRenewal.class,
                Collections.frequency(Arrays.asList(result), RenewAnswer.UNKNOWN),
                result.length,
                reason());
    }

    private synchronized String reason() {
        Throwable known = failure;
        return known == null
                ? "no quorum of the nodes has answered in time"
                : failedNode + " failed: " + NodeGroup.causeOf(known).getMessage();
    }

    private synchronized boolean isAnswered() {
        return answers.stream().anyMatch(answer -> answer != null);
    }

    private void topUp(int node) {
        lackedBy(node)
                .forEach(lacked -> resources.grantedLeases().topUp(nodes.nodes().get(node), lacked));
    }

    private synchronized List<RenewCommand> lackedBy(int node) {
        List<RenewAnswer> answer = answers.get(node);
        List<RenewCommand> lacked = new ArrayList<>();
        for (int lease = 0; answer != null && lease < decided.length; lease++) {
            if (answer.get(lease) == RenewAnswer.NOT_OWNER && decided[lease] == RenewAnswer.RENEWED) {
                lacked.add(commands.get(lease));
            }
        }
        return lacked;
    }
}
