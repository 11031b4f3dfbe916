package io.leasehold.faults;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockState;
import io.leasehold.LockState.Free;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;

/**
 * A lock that another process holds, seen by a process whose network breaks. A question or a forced release without an
 * answer fails as unknown. An answer never contradicts a holder that still holds the lock afterwards, unless the store
 * may lose grants.
 */
final class OthersLock {

    private static final Duration SOON = Duration.ofSeconds(40);

    private final FaultCase plan;

    private final FaultyProcess process;

    private final LockHandle held;

    private final LockState seen;

    private final boolean mayBeLost;

    private final Findings findings;

    /** Asks for the holder while the network still works. */
    OthersLock(FaultCase plan, FaultyProcess process, LockHandle held, boolean mayBeLost, Findings findings) {
        this.plan = plan;
        this.process = process;
        this.held = held;
        this.mayBeLost = mayBeLost;
        this.findings = findings;
        this.seen = Awaitility.await()
                .atMost(SOON)
                .until(() -> answer(process.locker().describe(held.key())), Optional::isPresent)
                .orElseThrow();
    }

    void ask() {
        Optional<LockState> answer = answer(process.locker().describe(held.key()));
        findings.answer(
                plan.operation(),
                answer.map(state -> state.getClass().getSimpleName()).orElse("unknown"));
        answer.filter(state -> state instanceof Free || state instanceof Held other && other.kind() != Kind.HOLDER)
                .ifPresent(state -> requireNotHeld("the lock is " + state));
    }

    /**
     * Takes the lock from its holder.
     *
     * @param alreadyAsked whether the fault strikes the command itself rather than the question before it
     * @return whether the holder can no longer renew its lock, according to the answer
     */
    boolean end(boolean alreadyAsked) {
        if (alreadyAsked) {
            process.tokens().answerNextQuestion(LockId.of(FaultyProcess.NAMESPACE, held.key()), seen);
        }
        long named =
                seen instanceof Held holder ? holder.fencingToken().orElse(held.fencingToken()) : held.fencingToken();
        Optional<Outcome> outcome = answer(process.locker().forceRelease(held.key(), named, "a case"))
                .map(ForcedRelease::outcome);
        findings.answer(plan.operation(), outcome.map(Outcome::name).orElse("unknown"));
        outcome.filter(done -> done != Outcome.REVOKED && done != Outcome.UNSUPPORTED)
                .ifPresent(done -> requireNotHeld(done.explanation()));
        return outcome.filter(done -> done == Outcome.REVOKED).isPresent();
    }

    private void requireNotHeld(String answer) {
        if (!mayBeLost && held.isHeld()) {
            findings.violation("told that " + answer + ", and another process held it", plan);
        }
    }

    /** Empty if the answer is unknown. */
    private static <T> Optional<T> answer(CompletionStage<T> asked) {
        try {
            return Optional.of(asked.toCompletableFuture().join());
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof LockBackendException) {
                return Optional.empty();
            }
            throw ex;
        }
    }
}
