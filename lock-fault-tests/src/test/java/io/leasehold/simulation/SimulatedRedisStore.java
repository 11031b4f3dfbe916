package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.Plan.FaultPlan;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The script store. One connection carries commands, which are resent after it broke, as Lettuce does. Another one
 * carries wake-ups.
 */
final class SimulatedRedisStore implements SimulatedStore {

    private static final Duration PROVISIONAL_TTL = Duration.ofSeconds(1);

    private final SimulatedRedis redis;

    private final SimulatedNetwork network;

    SimulatedRedisStore(SimulatedRedis redis, SimulatedNetwork network) {
        this.redis = redis;
        this.network = network;
    }

    @Override
    public LockBackend backend(SimulatedProcess process) {
        return new Backend(process);
    }

    @Override
    public List<SimulatedRedis> servers() {
        return List.of(redis);
    }

    @Override
    public List<Leftover> leftovers() {
        return redis.leftovers();
    }

    @Override
    public void strike(FaultPlan fault, SimulatedServer server) {
        redis.flush();
        if (fault.other() % 2 == 0) {
            network.breakConnections(redis);
        }
    }

    private final class Backend implements LockBackend {

        private final SimulatedProcess process;

        private final SimulatedLink commands;

        private final SimulatedLink messages;

        private final RedisChannel channel;

        private Backend(SimulatedProcess process) {
            this.process = process;
            this.commands = new SimulatedLink(process, redis, network, true);
            this.messages = new SimulatedLink(process, redis, network, true);
            this.channel = new RedisChannel(messages);
            redis.listen(channel);
        }

        @Override
        public CompletionStage<Void> connect() {
            return commands.connect().thenCombine(channel.connect(), (one, other) -> null);
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            Duration provisional = command.ttl().compareTo(PROVISIONAL_TTL) < 0 ? command.ttl() : PROVISIONAL_TTL;
            RedisChannel.Turn turn = command.queueIfBusy() ? channel.await(command.token(), provisional) : null;
            long sentAt = redis.simulation().now();
            CompletableFuture<Long> reply = commands.call(
                    SimulatedRedis.class,
                    () -> "acquire " + command.id() + " " + command.token() + " " + command.fencingTokens(),
                    server -> server.acquire(command, turn, process, sentAt));
            return Stages.map(reply, answer -> answer(answer, turn));
        }

        private static AcquireAnswer answer(long answer, RedisChannel.@Nullable Turn turn) {
            if (answer > 0) {
                if (turn != null) {
                    turn.future().cancel(false);
                }
                return new Granted(answer);
            }
            Duration remaining = Duration.ofMillis(-1 - answer);
            return turn == null
                    ? new Busy(remaining)
                    : new Busy(
                            remaining,
                            turn.future(),
                            true,
                            turn.provisionalTtl().dividedBy(3));
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> renewals) {
            return commands.call(SimulatedRedis.class, () -> "renew " + renewals, server -> server.renew(renewals));
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return commands.call(
                    SimulatedRedis.class,
                    () -> "release " + command.id() + " " + command.token() + " " + command.retainFor(),
                    server -> server.release(command));
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return commands.call(SimulatedRedis.class, () -> "describe " + id, server -> server.describe(id));
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return commands.call(
                    SimulatedRedis.class,
                    () -> "revoke " + id + " " + fencingToken,
                    server -> server.revoke(id, fencingToken));
        }

        @Override
        public void onRevocation(LongConsumer listener) {
            channel.onHint(listener);
        }

        @Override
        public void close() {
            commands.close();
            messages.close();
        }
    }
}
