package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** One process that uses a backend, in blocking calls and in a namespace of its own; for contract tests. */
public final class StoreClient {

    /** A ttl that no test outlives. */
    public static final Duration LONG = Duration.ofSeconds(30);

    private final LockBackend backend;

    private final String namespace;

    /**
     * Creates the client.
     *
     * @param backend what is tested
     * @param namespace where the keys of this test live
     */
    public StoreClient(LockBackend backend, String namespace) {
        this.backend = backend;
        this.namespace = namespace;
    }

    /** What is tested, for calls that this class has no method for. */
    public LockBackend backend() {
        return backend;
    }

    /** A key of this test's namespace. */
    public LockId id(String key) {
        return LockId.of(namespace, key);
    }

    /** A token that no other lease has. */
    public Token token() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new Token(random.nextLong(), random.nextLong());
    }

    /** Asks for a lease of one fencing token, once. */
    public AcquireAnswer acquire(LockId id, Token token, Duration ttl) {
        return acquire(new AcquireCommand(id, token, ttl, 1, false));
    }

    /** Asks for a lease. */
    public AcquireAnswer acquire(AcquireCommand command) {
        return await(backend.acquire(command));
    }

    /** Takes a lock that has to be free, for as long as the test runs. */
    public Held grant(String key) {
        return grant(id(key), LONG);
    }

    /** Takes a lock that has to be free. */
    public Held grant(LockId id, Duration ttl) {
        return grant(id, ttl, 1);
    }

    /** Takes a lock that has to be free, with a block of fencing tokens. */
    public Held grant(LockId id, Duration ttl, int fences) {
        return grant(new AcquireCommand(id, token(), ttl, fences, false));
    }

    /** Takes a lock that has to be free. */
    public Held grant(AcquireCommand command) {
        AcquireAnswer answer = acquire(command);
        assertThat(answer).as("lock %s", command.id()).isInstanceOf(Granted.class);
        return new Held(command.id(), command.token(), ((Granted) answer).firstFence());
    }

    /** Asks for a lock that has to be busy, once. */
    public Busy busy(LockId id) {
        AcquireAnswer answer = acquire(id, token(), LONG);
        assertThat(answer).as("lock %s", id).isInstanceOf(Busy.class);
        return (Busy) answer;
    }

    /**
     * Asks for a busy lock until its lease is seen to run for longer than given. Only a renewal lets it run for longer; the
     * last servers of a quorum do theirs when a majority has confirmed it.
     */
    public Duration remainingAbove(LockId id, Duration least) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .pollInSameThread()
                .until(() -> busy(id).remaining(), remaining -> remaining.compareTo(least) > 0);
    }

    /** Asks for a lock that has to be busy, and stays interested in it. */
    public Waiter waitFor(LockId id) {
        return waitFor(id, token());
    }

    /** Asks for a lock that has to be busy, and stays interested in it. */
    public Waiter waitFor(LockId id, Token token) {
        return waitFor(id, token, LONG);
    }

    /** Asks for a lock that has to be busy, and stays interested in it. */
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

    /** Ends a lease at once. */
    public ReleaseAnswer release(Held held) {
        return release(held, Duration.ZERO);
    }

    /** Ends a lease after a while. */
    public ReleaseAnswer release(Held held, Duration retainFor) {
        return release(held.id(), held.token(), retainFor);
    }

    /** Ends a lease. */
    public ReleaseAnswer release(LockId id, Token token, Duration retainFor) {
        return await(backend.release(new ReleaseCommand(id, token, retainFor)));
    }

    /** Stops waiting, as the engine does. */
    public void giveUp(Waiter waiter) {
        if (waiter.busy().wakeup() != null) {
            waiter.busy().wakeup().cancel(false);
        }
        if (waiter.busy().queued()) {
            release(waiter.id(), waiter.token(), Duration.ZERO);
        }
    }

    /** The answer of a stage, which has to come soon. */
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
