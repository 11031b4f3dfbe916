package io.leasehold.faults;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/**
 * A master with two replicas, found through three sentinels. Each case affects one, two or all of the three servers.
 */
class SentinelFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return new SentinelStore();
    }

    private static final class SentinelStore extends ReplicatedStore {

        private final RedisSentinels sentinels = RedisSentinels.start(2, "appendonly yes", "appendfsync always");

        /** Waits until the grace period of the new set-up is over. */
        SentinelStore() {
            try (Connection connection = connect(ports())) {
                StoreClient client = new StoreClient(connection.backend(), "warm-up");
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() -> client.release(client.grant(client.id("it"), ttl())) == ReleaseAnswer.RELEASED);
            }
        }

        @Override
        String name() {
            return "redis-sentinel";
        }

        @Override
        List<RedisServer> servers() {
            return sentinels.servers();
        }

        @Override
        RedisConfiguration configuration() {
            RedisSentinelConfiguration configuration =
                    new RedisSentinelConfiguration().master(RedisSentinels.MASTER_NAME);
            sentinels.sentinelPorts().forEach(port -> configuration.sentinel("127.0.0.1", port));
            return configuration;
        }

        /** With the grace period of a new master. */
        @Override
        Duration recovery() {
            return super.recovery().plus(ttl());
        }

        @Override
        boolean mayRefuseFreeLocks(FaultCase plan) {
            return plan.server() != null;
        }

        @Override
        RedisServer masterOf(LockId id) {
            return sentinels.master();
        }

        @Override
        void awaitSteady() {
            sentinels.awaitSteady();
        }

        @Override
        public void close() {
            sentinels.servers().forEach(RedisServer::resume);
            sentinels.close();
        }
    }
}
