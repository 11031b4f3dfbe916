package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quorum locks on five real servers that are paused, killed, slow, or fewer than five different ones. */
class RedisRedlockTests {

    private static final Duration TTL = Duration.ofSeconds(10);

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final Duration SHORT = Duration.ofSeconds(2);

    /** A node timeout that even a busy machine can meet. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final int ROUNDS = Integer.getInteger("leasehold.rounds", 5);

    private final FiveRedis redis = new FiveRedis();

    private final RedlockLockBackend backend = redis.direct(new RedlockLockOptions(TIMEOUT, Duration.ofMinutes(1)));

    private final StoreClient client = new StoreClient(backend, "redlock");

    @BeforeEach
    void connect() {
        await().atMost(Duration.ofSeconds(20)).until(() -> succeeds(client));
    }

    @AfterEach
    void close() {
        backend.close();
        redis.close();
    }

    @Test
    void f41OneServerBehindTwoEndpointsIsRefused() throws Exception {
        List<Integer> ports =
                new ArrayList<>(redis.servers.stream().map(RedisServer::port).toList());
        ports.set(3, redis.proxies.get(1).port());
        RedlockLockBackend doubled =
                redis.backend(ports, new RedlockLockOptions(Duration.ofSeconds(5), Duration.ofMinutes(1)), true);
        try {
            assertThat(doubled.inspect().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .anySatisfy(finding -> assertThat(finding.finding()).contains("is the same server as"));
        } finally {
            doubled.close();
        }
    }

    @Test
    void f42TwoStoppedServersCostNothing() {
        redis.servers.get(1).pause();
        redis.servers.get(4).pause();
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long start = System.nanoTime();
            Held held = client.grant(client.id("k" + i), LONG);
            nanos.add(System.nanoTime() - start);
            assertThat(client.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
        long p99 = nanos.stream().sorted().skip(197).findFirst().orElseThrow();
        assertThat(Duration.ofNanos(p99)).isLessThan(TIMEOUT);
    }

    @Test
    void f43ThreeStoppedServersRefuseInTimeAndNothingIsLeft() {
        redis.servers.subList(0, 3).forEach(RedisServer::pause);
        LockId id = client.id("a");
        Token token = client.token();
        long start = System.nanoTime();
        CompletableFuture<AcquireAnswer> asked =
                backend.acquire(new AcquireCommand(id, token, LONG, 1, false)).toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(asked::isDone);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.multipliedBy(2));
        assertThat(asked).isCompletedExceptionally();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> redis.servers.subList(3, 5).stream()
                        .allMatch(server -> server.command("GET", id.encoded()) == null));
        redis.servers.subList(0, 3).forEach(RedisServer::resume);
        await().atMost(Duration.ofSeconds(20)).until(() -> redis.holders(id.encoded(), token.valueWithHolder()) == 0);
        await().atMost(Duration.ofSeconds(20)).until(() -> succeeds(client));
    }

    @Test
    void aRevocationNeedsAQuorumAndIsUnknownWithoutOne() {
        Held held = grantEverywhere(client.id("a"));
        long named =
                ((LockState.Held) client.describe(held.id())).fencingToken().orElseThrow();
        redis.servers.subList(0, 3).forEach(RedisServer::pause);
        CompletableFuture<Outcome> tooFew = backend.revoke(held.id(), named).toCompletableFuture();
        await().atMost(Duration.ofSeconds(20)).until(tooFew::isDone);
        assertThatThrownBy(tooFew::join)
                .cause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
                .hasMessageContaining("on 2 of 5 nodes, and 3 did not answer; a quorum is 3");
        redis.servers.get(0).resume();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> backend.revoke(held.id(), named)
                                .handle((outcome, failure) -> outcome)
                                .toCompletableFuture()
                                .join()
                        == Outcome.REVOKED);
        assertThat(client.renew(held, LONG)).isEqualTo(RenewAnswer.REVOKED);
    }

    /** The fences of a lease whose ttl is longer than fences are kept expire before it. */
    @Test
    void aLeaseWithoutFencesIsRevokedByTheTokenZero() {
        Held held = grantEverywhere(client.id("a"));
        redis.servers.forEach(server -> server.command("DEL", "{" + held.id().encoded() + "}:fence"));
        LockState.Held state = (LockState.Held) client.describe(held.id());
        assertThat(state.fencingToken()).isEmpty();
        assertThat(StoreClient.await(backend.revoke(held.id(), held.firstFence())))
                .isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(StoreClient.await(backend.revoke(held.id(), 0))).isEqualTo(Outcome.REVOKED);
        assertThat(client.renew(held, LONG)).isEqualTo(RenewAnswer.REVOKED);
    }

    @Test
    void aLeaseOfThisProcessThatIsTakenFromItsHolderIsForgotten() {
        Held held = grantEverywhere(client.id("a"));
        GrantedLeases leases = backend.resources().grantedLeases();
        int before = leases.size();
        assertThat(StoreClient.await(backend.revoke(held.id(), 1))).isEqualTo(Outcome.OTHER_HOLDER);
        assertThat(leases.size()).isEqualTo(before).isPositive();
        long named =
                ((LockState.Held) client.describe(held.id())).fencingToken().orElseThrow();
        assertThat(StoreClient.await(backend.revoke(held.id(), named))).isEqualTo(Outcome.REVOKED);
        assertThat(leases.size()).isEqualTo(before - 1);
    }

    @Test
    void renewalsKeepTheFencesOfAllNodes() {
        Held held = grantEverywhere(client.id("a"));
        String fence = "{" + held.id().encoded() + "}:fence";
        redis.servers.forEach(server -> server.command("PEXPIRE", fence, "1000"));
        assertThat(client.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> redis.servers.stream().allMatch(server -> (Long) server.command("PTTL", fence) > 60_000));
    }

    /**
     * A lock costs each node three scripts, and a fourth one if the nodes have proposed different fencing tokens. A name
     * that cost one would never be seen with three.
     */
    @Test
    void aLockWithANameCostsEachNodeNoFurtherScript() {
        Instance named = new Instance(7, "orders@host-1:11");
        StoreClient.await(backend.introduce(named));
        long[] least = new long[redis.servers.size()];
        Arrays.fill(least, Long.MAX_VALUE);
        await().atMost(Duration.ofSeconds(40)).until(() -> {
            List<Long> scripts = scriptsOfOneLock(named);
            for (int node = 0; node < least.length; node++) {
                least[node] = Math.min(least[node], scripts.get(node));
            }
            return Arrays.stream(least).allMatch(scriptsOfNode -> scriptsOfNode == 3);
        });
    }

    @Test
    void f44AServerThatWasRestartedEmptyHasNoVote() {
        Duration longest = Duration.ofSeconds(3);
        RedlockLockBackend asking = redis.backend(
                redis.servers.stream().map(RedisServer::port).toList(),
                new RedlockLockOptions(FiveRedis.NODE_TIMEOUT, longest),
                false);
        StoreClient second = new StoreClient(asking, "redlock");
        int answered = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                await().atMost(Duration.ofSeconds(20)).until(() -> succeeds(second));
                LockId id = second.id("restarted-" + round);
                Held held = grantEverywhere(id);
                redis.servers.get(3).command("DEL", id.encoded());
                redis.servers.get(4).command("DEL", id.encoded());
                long killedAt = System.nanoTime();
                redis.servers.get(round % 3).kill();
                redis.servers.get(round % 3).restartEmpty();
                answered += answersWithoutVote(asking, killedAt + longest.toNanos()) ? 1 : 0;
                for (int i = 0; i < 5; i++) {
                    boolean granted = isGranted(asking, id);
                    boolean isYoung = System.nanoTime() - killedAt < longest.toNanos();
                    assertThat(granted && isYoung).as("round %s", round).isFalse();
                }
                backend.release(new ReleaseCommand(id, held.token()));
            }
            assertThat(answered).isPositive();
        } finally {
            asking.close();
        }
    }

    /**
     * Whether the restarted server answers while it has no vote. Only its vote is missing, because two other servers are
     * stopped.
     */
    private boolean answersWithoutVote(RedlockLockBackend asking, long youngUntil) {
        redis.servers.subList(3, 5).forEach(RedisServer::pause);
        try {
            for (int i = 0; System.nanoTime() - youngUntil < 0; i++) {
                String answer = ask(asking, client.id("fresh-" + i))
                        .handle((granted, failure) -> String.valueOf(failure))
                        .join();
                if (answer.contains("has no vote")) {
                    return true;
                }
            }
            return false;
        } finally {
            redis.servers.subList(3, 5).forEach(RedisServer::resume);
        }
    }

    @Test
    void f9ALateRollBackOfAnEarlierTryDoesNotEndALaterOne() {
        RedlockLockBackend slow = redis.proxied(FiveRedis.options());
        StoreClient first = new StoreClient(slow, "redlock");
        try {
            for (int round = 0; round < ROUNDS; round++) {
                await().atMost(Duration.ofSeconds(20)).until(() -> succeeds(first));
                LockId id = first.id("late-" + round);
                List<FaultProxy> stalled = redis.proxies.subList(0, 3);
                Token token = first.token();
                stalled.forEach(proxy -> proxy.set(FaultMode.STALL_REPLIES));
                CompletableFuture<AcquireAnswer> asked = slow.acquire(new AcquireCommand(id, token, TTL, 1, false))
                        .toCompletableFuture();
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> asked.isDone() || redis.holders(id.encoded(), token.valueWithHolder()) == 5);
                stalled.forEach(proxy -> proxy.set(FaultMode.STALL));
                await().atMost(Duration.ofSeconds(20)).until(asked::isDone);
                assertThat(asked).isCompletedExceptionally();
                redis.servers.forEach(server -> server.command("DEL", id.encoded()));
                Held second = grantEverywhere(id);
                redis.proxies.forEach(FaultProxy::pass);
                await().atMost(Duration.ofSeconds(20)).until(() -> succeeds(first));
                assertThat(redis.holders(id.encoded(), second.token().valueWithHolder()))
                        .isEqualTo(5);
                assertThat(client.release(second)).isEqualTo(ReleaseAnswer.RELEASED);
            }
        } finally {
            slow.close();
        }
    }

    @Test
    void f46FencesRiseWhicheverTwoServersAreStopped() {
        long last = 0;
        for (int round = 0; round < 10; round++) {
            RedisServer one = redis.servers.get(round % 5);
            RedisServer other = redis.servers.get((round * 2 + 1) % 5);
            one.pause();
            other.pause();
            try {
                Held held = client.grant(client.id("fenced"), LONG, 17);
                assertThat(held.firstFence()).as("round %s", round).isGreaterThan(last);
                last = held.firstFence() + 16;
                client.release(held);
            } finally {
                one.resume();
                other.resume();
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> backend.resources().reaper().pending() == 0);
        }
    }

    @Test
    void anAcquisitionTakesLittleLongerThanOneRoundTrip() {
        redis.proxies.forEach(proxy -> proxy.delay(Duration.ofMillis(20)));
        RedlockLockBackend distant =
                redis.proxied(new RedlockLockOptions(Duration.ofSeconds(5), Duration.ofMinutes(1)));
        StoreClient caller = new StoreClient(distant, "redlock");
        try {
            caller.release(caller.grant("warm-up"));
            List<Long> acquisitions = new ArrayList<>();
            List<Long> roundTrips = new ArrayList<>();
            for (int i = 0; i < 21; i++) {
                long start = System.nanoTime();
                caller.grant("latency-" + i);
                acquisitions.add(System.nanoTime() - start);
                roundTrips.add(slowestRoundTrip(distant));
            }
            assertThat(median(acquisitions)).isLessThan(median(roundTrips) * 3 / 2);
        } finally {
            distant.close();
        }
    }

    /** The calls of each command on each node while a lock is acquired, renewed and released. */
    private List<Long> scriptsOfOneLock(Instance instance) {
        redis.servers.forEach(server -> server.command("CONFIG", "RESETSTAT"));
        Token random = client.token();
        Token token = new Token(random.high(), random.low(), instance, 0);
        Held held = client.grant(new AcquireCommand(client.id("named"), token, LONG, 1, false));
        client.renew(held, LONG);
        client.release(held);
        // a quorum is enough for an answer
        await().atMost(Duration.ofSeconds(20)).until(() -> scripts().stream().allMatch(count -> count >= 3));
        return scripts();
    }

    private List<Long> scripts() {
        return redis.servers.stream()
                .map(server -> server.calls().getOrDefault("evalsha", 0L))
                .toList();
    }

    private static long slowestRoundTrip(RedlockLockBackend asked) {
        long start = System.nanoTime();
        List<CompletableFuture<ServerIdentity>> all = asked.resources().nodes().askAll(QuorumNode::serverIdentity);
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        return System.nanoTime() - start;
    }

    private static long median(List<Long> nanos) {
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }

    private static boolean succeeds(StoreClient client) {
        LockId id = client.id("probe");
        Token token = client.token();
        try {
            boolean granted = client.backend()
                            .acquire(new AcquireCommand(id, token, SHORT, 1, false))
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                    instanceof Granted;
            client.backend()
                    .release(new ReleaseCommand(id, token))
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            return granted;
        } catch (ExecutionException | TimeoutException ex) {
            return false;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Acquires a lease on all five servers. A server that is slow for a moment may miss it at first. */
    private Held grantEverywhere(LockId id) {
        return await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(
                        () -> {
                            Held held = client.grant(id, LONG);
                            client.renew(held, LONG);
                            return held;
                        },
                        held -> redis.holders(id.encoded(), held.token().valueWithHolder()) == 5 || release(held));
    }

    /** Releases the lease, because it was not on all servers. */
    private boolean release(Held held) {
        client.release(held);
        return false;
    }

    private boolean isGranted(RedlockLockBackend asking, LockId id) {
        CompletableFuture<AcquireAnswer> asked = ask(asking, id);
        return !asked.isCompletedExceptionally() && asked.join() instanceof Granted;
    }

    /** Returns the end of an acquisition. */
    private CompletableFuture<AcquireAnswer> ask(RedlockLockBackend asking, LockId id) {
        CompletableFuture<AcquireAnswer> asked = asking.acquire(new AcquireCommand(id, client.token(), SHORT, 1, false))
                .toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(asked::isDone);
        return asked;
    }
}
