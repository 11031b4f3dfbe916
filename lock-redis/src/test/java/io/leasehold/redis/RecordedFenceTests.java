package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The fencing tokens that a quorum has agreed on, in a node that had assigned others. */
class RecordedFenceTests {

    private static final int FENCES = 8;

    /** All nodes have to name a lease by the same token. A node that voted late, by a fast clock, has assigned a greater one. */
    @Test
    void theAgreedTokenNamesTheLeaseAlsoWhereItWasGreater() {
        RedisServer.shared().command("FLUSHALL");
        try (RedisClient client = RedisClient.of(RedisServer.shared().port());
                RedisQuorumNode node = new RedisQuorumNode(client.factory(), RedisLockOptions.defaults(), true)) {
            LockId id = LockId.of("recorded", "a");
            AcquireCommand command = new AcquireCommand(id, new Token(1, 1), StoreClient.LONG, FENCES, false);
            long assigned = ((Granted) StoreClient.await(node.vote(command, 0)).answer()).firstFence();
            long agreed = assigned - 1_000;
            assertThat(StoreClient.await(node.recordFencingToken(command, agreed)))
                    .isTrue();

            assertThat(StoreClient.await(node.vote(command, 0)).answer()).isEqualTo(new Granted(agreed));
            assertThat(StoreClient.await(node.describe(id)))
                    .isInstanceOfSatisfying(
                            LockState.Held.class,
                            held -> assertThat(held.fencingToken()).isEqualTo(OptionalLong.of(agreed + FENCES - 1)));
            assertThat(StoreClient.await(node.revoke(id, agreed + FENCES - 1))).isEqualTo(Outcome.REVOKED);

            StoreClient.await(node.release(new ReleaseCommand(id, command.token())));
            AcquireCommand next = new AcquireCommand(id, new Token(2, 2), StoreClient.LONG, FENCES, false);
            assertThat(((Granted) StoreClient.await(node.vote(next, 0)).answer()).firstFence())
                    .isGreaterThanOrEqualTo(agreed + FENCES);
        }
    }
}
