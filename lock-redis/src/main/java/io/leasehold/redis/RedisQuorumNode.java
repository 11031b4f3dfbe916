package io.leasehold.redis;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.QuorumNode.Vote;
import io.leasehold.spi.SafetyFinding;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One Redis of several independent ones. It must be a single server, neither a cluster nor part of a group that fails
 * over, because both may lose leases.
 *
 * <p>Each vote reads {@code INFO server} inside its script, so that no restart can occur between the check of the
 * server's uptime and the grant. {@code INFO server} returns the run id, and the uptime by the server's clock in whole
 * seconds. It is negative if this clock was set back to before the start.
 */
public final class RedisQuorumNode extends DelegatingLockBackend implements QuorumNode {

    private static final RedisScript VOTE = RedisScript.of(RedisQuorumNode.class, "vote.lua", RedisScript.Answer.BYTES);

    private static final RedisScript RECORD_FENCE =
            RedisScript.of(RedisQuorumNode.class, "record_fence.lua", RedisScript.Answer.INTEGER);

    private static final RedisScript IDENTITY =
            RedisScript.of(RedisQuorumNode.class, "identity.lua", RedisScript.Answer.BYTES);

    private final RedisClientAdapter client;

    private final byte[] fenceRetention;

    private final boolean persistsEveryWrite;

    private final Runnable closeFactory;

    /**
     * Creates a node. It connects at its first use.
     *
     * @param factory connects to the server; stays open when the node is closed
     * @param options how locks are stored
     * @param persistsEveryWrite whether the server runs with {@code appendonly yes}, {@code appendfsync always} and
     *     {@code no-appendfsync-on-rewrite no}, so that a restart loses nothing and the server may vote immediately after
     *     it. {@link #inspect} checks these settings, {@link #vote} does not
     */
    public RedisQuorumNode(RedisConnectionFactory factory, RedisLockOptions options, boolean persistsEveryWrite) {
        this(RedisLockBackend.client(factory, options), options, persistsEveryWrite, () -> {});
    }

    private RedisQuorumNode(
            RedisClientAdapter client, RedisLockOptions options, boolean persistsEveryWrite, Runnable closeFactory) {
        super(RedisLockBackend.of(client, options, () -> {}));
        this.client = client;
        this.fenceRetention = RedisKeys.bytes(options.fenceRetention().toMillis());
        this.persistsEveryWrite = persistsEveryWrite;
        this.closeFactory = closeFactory;
    }

    /**
     * Creates a node with its own connections. It connects at its first use.
     *
     * @param server the address of the server, and the credentials
     * @param client the configuration of the client
     * @param options how locks are stored
     * @param persistsEveryWrite see the constructor
     * @return the node, which closes its connections when it is closed
     */
    public static RedisQuorumNode of(
            RedisStandaloneConfiguration server,
            LettuceClientConfiguration client,
            RedisLockOptions options,
            boolean persistsEveryWrite) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server, client);
        factory.afterPropertiesSet();
        factory.start();
        return new RedisQuorumNode(
                RedisLockBackend.client(factory, options), options, persistsEveryWrite, factory::destroy);
    }

    @Override
    public CompletionStage<Vote> vote(AcquireCommand command, long leastFence) {
        LockId id = command.id();
        return CancellableCall.ofReply(
                client.scripts()
                        .<byte[]>run(
                                VOTE,
                                new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id)},
                                command.token().bytesWithHolder(),
                                RedisKeys.bytes(command.ttl().toMillis()),
                                RedisKeys.bytes(command.fencingTokens()),
                                fenceRetention,
                                RedisKeys.bytes(leastFence)),
                reply -> VoteReply.parse(reply).vote(persistsEveryWrite));
    }

    @Override
    public CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence) {
        LockId id = command.id();
        return CancellableCall.ofReply(
                client.scripts()
                        .<Long>run(
                                RECORD_FENCE,
                                new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id)},
                                command.token().bytesWithHolder(),
                                RedisKeys.bytes(firstFence + command.fencingTokens() - 1),
                                fenceRetention),
                answer -> answer == 1);
    }

    @Override
    public CompletionStage<ServerIdentity> serverIdentity() {
        return CancellableCall.ofReply(
                client.scripts().<byte[]>run(IDENTITY, new byte[0][]),
                reply -> VoteReply.parse(reply).serverIdentity(persistsEveryWrite));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        CompletableFuture<List<SafetyFinding>> findings = RedisInspection.ofQuorumNode(client);
        if (!persistsEveryWrite) {
            return findings;
        }
        return findings.thenCombine(RedisInspection.ofPersistence(client), (some, more) -> {
            List<SafetyFinding> all = new ArrayList<>(some);
            all.addAll(more);
            return List.copyOf(all);
        });
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            closeFactory.run();
        }
    }

    /**
     * The reply of the scripts for votes, separated by spaces: the answer as in {@code acquire.lua}, the server's clock
     * in microseconds, its run id, its uptime in seconds, and whether the lease existed.
     */
    private record VoteReply(long answer, long clockMicros, String runId, long uptimeSeconds, boolean wasThere) {

        private static final Duration FOREVER = Duration.ofDays(1);

        static VoteReply parse(byte[] reply) {
            String[] parts = new String(reply, StandardCharsets.US_ASCII).split(" ");
            return new VoteReply(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    parts[2],
                    Long.parseLong(parts[3]),
                    parts[4].equals("1"));
        }

        Vote vote(boolean persistsEveryWrite) {
            return new Vote(acquireAnswer(), wasThere, clockMicros, serverIdentity(persistsEveryWrite));
        }

        ServerIdentity serverIdentity(boolean persistsEveryWrite) {
            return new ServerIdentity(runId, persistsEveryWrite ? null : leastAge());
        }

        /**
         * The minimum age of the server. Redis computes its uptime from two whole seconds, so that the uptime may
         * exceed the age by almost a second.
         */
        private Duration leastAge() {
            return Duration.ofSeconds(Math.max(0, uptimeSeconds - 1));
        }

        private AcquireAnswer acquireAnswer() {
            if (answer > 0) {
                return new Granted(answer);
            }
            return new Busy(answer == 0 ? FOREVER : Duration.ofMillis(-1 - answer));
        }
    }
}
