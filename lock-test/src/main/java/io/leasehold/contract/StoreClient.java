package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** One process that uses a backend with blocking calls and in its own namespace; for contract tests. */
public final class StoreClient {

    /** A ttl that is longer than any test. */
    public static final Duration LONG = Duration.ofSeconds(30);

    private final LockBackend backend;

    private final String namespace;

    /**
     * Creates the client.
     *
     * @param backend the backend under test
     * @param namespace the namespace of the test's keys
     */
    public StoreClient(LockBackend backend, String namespace) {
        this.backend = backend;
        this.namespace = namespace;
    }

    /** Returns the backend under test, for calls for which this class has no method. */
    public LockBackend backend() {
        return backend;
    }

    /** Returns the id of a key in this test's namespace. */
    public LockId id(String key) {
        return LockId.of(namespace, key);
    }

    /** Returns a token that no other lease has. */
    public Token token() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new Token(random.nextLong(), random.nextLong());
    }

    /** Requests a lease with one fencing token, without waiting. */
    public AcquireAnswer acquire(LockId id, Token token, Duration ttl) {
        return acquire(new AcquireCommand(id, token, ttl, 1, false));
    }

    /** Requests a lease. */
    public AcquireAnswer acquire(AcquireCommand command) {
        return await(backend.acquire(command));
    }

    /** Acquires a lock that must be free, for longer than the test. */
    public Held grant(String key) {
        return grant(id(key), LONG);
    }

    /** Acquires a lock that must be free. */
    public Held grant(LockId id, Duration ttl) {
        return grant(id, ttl, 1);
    }

    /** Acquires a lock that must be free, with several fencing tokens. */
    public Held grant(LockId id, Duration ttl, int fences) {
        return grant(new AcquireCommand(id, token(), ttl, fences, false));
    }

    /** Acquires a lock that must be free. */
    public Held grant(AcquireCommand command) {
        AcquireAnswer answer = acquire(command);
        assertThat(answer).as("lock %s", command.id()).isInstanceOf(Granted.class);
        return new Held(command.id(), command.token(), ((Granted) answer).firstFence());
    }

    /**
     * Acquires a lock that must be free within a moment. The votes for an earlier request that found it busy may still
     * be on the last servers of a quorum.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if it is not free in time
     */
    public Held grantSoon(String key) {
        LockId id = id(key);
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .pollInSameThread()
                .until(
                        () -> {
                            Token token = token();
                            return acquire(id, token, LONG) instanceof Granted granted
                                    ? Optional.of(new Held(id, token, granted.firstFence()))
                                    : Optional.<Held>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Requests a lock that must be busy, without waiting. */
    public Busy busy(LockId id) {
        AcquireAnswer answer = acquire(id, token(), LONG);
        assertThat(answer).as("lock %s", id).isInstanceOf(Busy.class);
        return (Busy) answer;
    }

    /**
     * Requests a busy lock until the answer shows a remaining time above the given one. Only a renewal can increase it.
     * The last servers of a quorum may apply the renewal after a majority has confirmed it.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if that has not happened within the timeout
     */
    public Duration remainingAbove(LockId id, Duration least, Duration timeout) {
        return Awaitility.await()
                .atMost(timeout)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .pollInSameThread()
                .until(() -> busy(id).remaining(), remaining -> remaining.compareTo(least) > 0);
    }

    /** Requests a lock that must be busy, and keeps waiting for it. */
    public Waiter waitFor(LockId id) {
        return waitFor(id, token());
    }

    /** Requests a lock that must be busy, and keeps waiting for it. */
    public Waiter waitFor(LockId id, Token token) {
        return waitFor(id, token, LONG);
    }

    /** Requests a lock that must be busy, and keeps waiting for it. */
    public Waiter waitFor(LockId id, Token token, Duration ttl) {
        AcquireAnswer answer = acquire(new AcquireCommand(id, token, ttl, 1, true));
        assertThat(answer).as("lock %s", id).isInstanceOf(Busy.class);
        return new Waiter(id, token, (Busy) answer);
    }

    /** Renews one lease. */
    public RenewAnswer renew(Held held, Duration ttl) {
        return renew(new RenewCommand(held.id(), held.token(), ttl));
    }

    /** Renews one lease. */
    public RenewAnswer renew(RenewCommand command) {
        List<RenewAnswer> answers = renew(List.of(command));
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    /** Renews leases. */
    public List<RenewAnswer> renew(List<RenewCommand> commands) {
        return await(backend.renew(commands));
    }

    /** Ends a lease immediately. */
    public ReleaseAnswer release(Held held) {
        return release(held, Duration.ZERO);
    }

    /** Ends a lease, and retains it for the given time. */
    public ReleaseAnswer release(Held held, Duration retainFor) {
        return release(held.id(), held.token(), retainFor);
    }

    /** Ends a lease. */
    public ReleaseAnswer release(LockId id, Token token, Duration retainFor) {
        return await(backend.release(new ReleaseCommand(id, token, retainFor)));
    }

    /** Acquires a lock that must be free, for an instance with a name that is recorded before. */
    public Held grantTo(Instance instance, LockId id, Duration ttl) {
        return grantTo(instance, 0, id, ttl);
    }

    /** Acquires a lock that must be free, for a thread of an instance with a name that is recorded before. */
    public Held grantTo(Instance instance, long threadId, LockId id, Duration ttl) {
        await(backend.introduce(instance));
        Token random = token();
        return grant(new AcquireCommand(id, new Token(random.high(), random.low(), instance, threadId), ttl, 1, false));
    }

    /** Returns the state of a lock. */
    public LockState describe(LockId id) {
        return await(backend.describe(id));
    }

    /** Returns the locks of this test's namespace that are held. */
    public LockListing list(int limit) {
        return await(backend.list(namespace, limit));
    }

    /** Ends the renewals of the lease with a fencing token. */
    public ForcedRelease.Outcome revoke(LockId id, long fencingToken) {
        return await(backend.revoke(id, fencingToken));
    }

    /** Gives up waiting, as the engine does. */
    public void giveUp(Waiter waiter) {
        if (waiter.busy().wakeup() != null) {
            waiter.busy().wakeup().cancel(false);
        }
        if (waiter.busy().queued()) {
            release(waiter.id(), waiter.token(), Duration.ZERO);
        }
    }

    /** Returns the answer of a stage, which must arrive promptly. */
    public static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", ex);
        } catch (ExecutionException ex) {
            throw new AssertionError("the store answered with a failure", ex.getCause());
        } catch (TimeoutException ex) {
            throw new AssertionError("the store did not answer", ex);
        }
    }
}
