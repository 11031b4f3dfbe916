package io.leasehold.faults;

import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The backend of one process. It records the tokens of the process's attempts, the tokens that the process has given
 * up, and its renewals. It can answer a question about a lock without the store.
 */
final class OwnTokens extends DelegatingLockBackend {

    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

    private final Map<LockId, String> lastGranted = new ConcurrentHashMap<>();

    private final Map<LockId, LockState> known = new ConcurrentHashMap<>();

    private final Map<LockId, Long> renewalSentAt = new ConcurrentHashMap<>();

    private final Map<LockId, Long> renewedAt = new ConcurrentHashMap<>();

    OwnTokens(LockBackend backend) {
        super(backend);
    }

    boolean hasAskedWith(String token) {
        return asked.contains(token);
    }

    /** Whether the process wants a token to be removed from the store. */
    boolean hasGivenUp(String token) {
        return givenUp.contains(token);
    }

    boolean isLastGranted(LockId id, String token) {
        return token.equals(lastGranted.get(id));
    }

    /** Whether the process has sent a renewal of a lock after a moment, by {@link System#nanoTime()}. */
    boolean hasSentRenewalSince(long moment, LockId id) {
        Long at = renewalSentAt.get(id);
        return at != null && at - moment > 0;
    }

    /** Whether the store has confirmed a renewal of a lock after a moment, by {@link System#nanoTime()}. */
    boolean isRenewedSince(long moment, LockId id) {
        Long at = renewedAt.get(id);
        return at != null && at - moment > 0;
    }

    /** Answers the next question about a lock without the store, so that a fault strikes the command that follows. */
    void answerNextQuestion(LockId id, LockState state) {
        known.put(id, state);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        String token = command.token().value();
        asked.add(token);
        CompletableFuture<AcquireAnswer> answer = super.acquire(command).toCompletableFuture();
        answer.thenAccept(given -> {
            if (given instanceof Granted) {
                lastGranted.put(command.id(), token);
            } else if (given instanceof Busy busy && busy.wakeup() != null) {
                busy.wakeup().thenAccept(grant -> {
                    if (grant instanceof Granted) {
                        lastGranted.put(command.id(), token);
                    }
                });
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        long sentAt = System.nanoTime();
        commands.forEach(command -> renewalSentAt.put(command.id(), sentAt));
        CompletableFuture<List<RenewAnswer>> answers = super.renew(commands).toCompletableFuture();
        answers.thenAccept(given -> {
            for (int i = 0; i < given.size(); i++) {
                if (given.get(i) == RenewAnswer.RENEWED) {
                    renewedAt.put(commands.get(i).id(), System.nanoTime());
                }
            }
        });
        return answers;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        givenUp.add(command.token().value());
        return super.release(command);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        LockState state = known.remove(id);
        return state != null ? CompletableFuture.completedFuture(state) : super.describe(id);
    }
}
