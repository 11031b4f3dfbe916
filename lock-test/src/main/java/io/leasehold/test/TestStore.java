package io.leasehold.test;

import io.leasehold.ForcedRelease;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The store of a test: leases in memory on the test's clock, with the disturbances that the test causes. */
final class TestStore implements LockBackend {

    private static final Duration OF_OTHERS = Duration.ofDays(365);

    private final MemoryLockBackend leases;

    private final Waits waits;

    private final Map<LockId, Grant> grants = new ConcurrentHashMap<>();

    private final Set<Rule> rules = ConcurrentHashMap.newKeySet();

    private final AtomicLong tokensOfOthers = new AtomicLong();

    TestStore(VirtualTime time, Waits waits) {
        this.leases = new MemoryLockBackend(time::nanos, () -> Instant.ofEpochMilli(time.wallMillis()));
        this.waits = waits;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        LockId id = command.id();
        if (stalls()) {
            return silence();
        }
        if (find(Denial.class, id) != null) {
            waits.storeAnswered();
            return CompletableFuture.failedFuture(
                    new BackendFailure(Effect.REFUSED, "the test denies lock '" + id + "' by TestLocks.deny", null));
        }
        takeElsewhere(id);
        LostReply lost = find(LostReply.class, id);
        boolean replyIsLost = lost != null && rules.remove(lost);
        AcquireAnswer answer = acquire(command, !replyIsLost);
        if (replyIsLost) {
            return silence();
        }
        if (answer instanceof Busy busy && !isHeldHere(id)) {
            waits.storeIsSilent();
            // the wake-up is never lost, so a wait of weeks needs no question every half second
            answer = new Busy(busy.remaining(), busy.wakeup(), busy.queued(), OF_OTHERS);
        } else {
            waits.storeAnswered();
        }
        return CompletableFuture.completedFuture(answer);
    }

    /** Synchronized, so that another engine that finds the lock busy also finds its holder. */
    private synchronized AcquireAnswer acquire(AcquireCommand command, boolean isKnown) {
        AcquireAnswer answer = leases.acquire(command).toCompletableFuture().join();
        if (answer instanceof Granted granted) {
            long first = granted.firstFence();
            grants.put(command.id(), new Grant(command.token(), first, first + command.fencingTokens() - 1, isKnown));
        }
        return answer;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        if (stalls()) {
            return silence();
        }
        waits.storeAnswered();
        return leases.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        if (stalls()) {
            // no thread releases the lock any more: the release is retried when time passes
            endGrant(command);
            CompletableFuture<ReleaseAnswer> silence = silence();
            waits.releaseIsUnanswered(silence);
            return silence;
        }
        waits.storeAnswered();
        if (!command.retainFor().isZero()) {
            // before the release: a caller that finds the lock busy from now on waits for time to pass
            endGrant(command);
            return leases.release(command);
        }
        CompletionStage<ReleaseAnswer> answer = leases.release(command);
        // after the release: a caller that finds the lock busy until then waits for this thread
        endGrant(command);
        return answer;
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return stalls() ? stalled() : leases.inspect();
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        if (stalls()) {
            return stalled();
        }
        takeElsewhere(id);
        return leases.describe(id);
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        if (stalls()) {
            return stalled();
        }
        for (Rule rule : rules) {
            if (rule instanceof Hold hold) {
                hold.take(LockId.of(namespace, hold.key));
            }
        }
        return leases.list(namespace, limit);
    }

    private static <T> CompletionStage<T> stalled() {
        return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the test stalls the store", null));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        if (stalls()) {
            return stalled();
        }
        return leases.revoke(id, fencingToken).thenApply(outcome -> {
            if (outcome.isDone()) {
                grants.computeIfPresent(id, (revoked, grant) -> grant.ended());
            }
            return outcome;
        });
    }

    /** Another process has the lock from the first question on, if the test says so. */
    private void takeElsewhere(LockId id) {
        Hold hold = find(Hold.class, id);
        if (hold != null) {
            hold.take(id);
        }
    }

    private void endGrant(ReleaseCommand command) {
        grants.computeIfPresent(
                command.id(), (id, grant) -> grant.token().equals(command.token()) ? grant.ended() : grant);
    }

    boolean stalls() {
        return rules.stream().anyMatch(Stall.class::isInstance);
    }

    /** Whether another process holds the key because the test says so. */
    boolean isHeldElsewhere(String key) {
        return rules.stream().anyMatch(rule -> rule instanceof Hold hold && hold.key.equals(key));
    }

    Disturbance holdElsewhere(String key) {
        return begin(new Hold(key));
    }

    Disturbance deny(String key) {
        return begin(new Denial(key));
    }

    Disturbance loseReply(String key) {
        return begin(new LostReply(key));
    }

    Disturbance stall() {
        return begin(new Stall());
    }

    /** Removes the leases of a key, as a store that has lost its data. */
    void forget(String key) {
        for (LockId id : List.copyOf(grants.keySet())) {
            if (matches(id, key)) {
                remove(id);
            }
        }
    }

    void endDisturbances() {
        rules.forEach(Disturbance::close);
    }

    /** Removes all leases, also those that are kept for a minimum hold time. */
    void clear() {
        List.copyOf(grants.keySet()).forEach(this::remove);
    }

    private void remove(LockId id) {
        Grant grant = grants.remove(id);
        if (grant != null) {
            leases.release(new ReleaseCommand(id, grant.token()));
        }
    }

    /** Whether another thread of this application will release the lock. */
    private boolean isHeldHere(LockId id) {
        Grant grant = grants.get(id);
        return grant != null
                && grant.isHeld()
                && find(Hold.class, id) == null
                && !waits.isOwnOrLost(handle -> matches(id, handle.key()) && grant.covers(handle));
    }

    private Disturbance begin(Rule rule) {
        rules.add(rule);
        return rule;
    }

    private <T extends KeyRule> @Nullable T find(Class<T> kind, LockId id) {
        for (Rule rule : rules) {
            if (kind.isInstance(rule) && matches(id, kind.cast(rule).key)) {
                return kind.cast(rule);
            }
        }
        return null;
    }

    /** Returns a stage that never completes. */
    private <T> CompletableFuture<T> silence() {
        waits.storeIsSilent();
        return new CompletableFuture<>();
    }

    /** Whether a lock has the key, or the masked key. */
    private static boolean matches(LockId id, String key) {
        String encoded = id.encoded();
        String namespace = encoded.substring(0, encoded.indexOf(':'));
        return LockId.of(namespace, key).equals(id)
                || LockId.of(namespace, LockKeys.mask(key)).equals(id);
    }

    /**
     * The last grant of a lock to this application.
     *
     * @param token its token
     * @param firstFence its first fencing token
     * @param lastFence its last fencing token
     * @param isHeld whether the application knows of it, and has neither released it nor had it taken away
     */
    private record Grant(Token token, long firstFence, long lastFence, boolean isHeld) {

        Grant ended() {
            return new Grant(token, firstFence, lastFence, false);
        }

        boolean covers(LockHandle handle) {
            return firstFence <= handle.fencingToken() && handle.fencingToken() <= lastFence;
        }
    }

    /** A disturbance of this store. */
    private abstract class Rule implements Disturbance {

        @Override
        public void close() {
            rules.remove(this);
        }
    }

    /** A disturbance of one key, in the namespaces of all lockers. */
    private abstract class KeyRule extends Rule {

        final String key;

        KeyRule(String key) {
            this.key = key;
        }
    }

    private final class Stall extends Rule {}

    private final class Denial extends KeyRule {

        Denial(String key) {
            super(key);
        }
    }

    private final class LostReply extends KeyRule {

        LostReply(String key) {
            super(key);
        }
    }

    /** Another process that holds a key. Its lease is in the store as soon as this application asks for it. */
    private final class Hold extends KeyRule {

        private final Token token = new Token(0, tokensOfOthers.incrementAndGet());

        private final Set<LockId> taken = ConcurrentHashMap.newKeySet();

        private boolean ended;

        Hold(String key) {
            super(key);
        }

        synchronized void take(LockId id) {
            if (!ended) {
                leases.acquire(new AcquireCommand(id, token, OF_OTHERS, 1, false));
                taken.add(id);
            }
        }

        @Override
        public void close() {
            super.close();
            synchronized (this) {
                ended = true;
            }
            taken.forEach(id -> leases.release(new ReleaseCommand(id, token)));
        }
    }
}
