package io.leasehold.servers.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sentinels promote a replica. A cluster distributes its keys and survives the loss of a node. */
@Tag("slow")
class RedisTopologyTests {

    @Test
    void sentinelsPromoteAReplica() {
        try (RedisSentinels sentinels = RedisSentinels.start(1)) {
            RedisServer former = sentinels.master();
            assertThat(former.command("SET", "k", "v")).isEqualTo("OK");
            await().until(() -> "v".equals(sentinels.replicas().get(0).command("GET", "k")));
            former.kill();
            RedisServer promoted = sentinels.awaitFailoverFrom(former);
            assertThat(promoted.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aClusterDistributesItsKeysAndReplacesADeadMaster() {
        try (RedisCluster cluster = RedisCluster.start(3, 1)) {
            assertThat(cluster.nodes()).hasSize(6);
            RedisServer master = cluster.masterOf("{a}k");
            assertThat(cluster.masterOf("{a}other")).isSameAs(master);
            assertThat(master.command("SET", "{a}k", "v")).isEqualTo("OK");
            assertThat(master.hasReplicas(1)).isTrue();
            master.kill();
            RedisServer next = cluster.awaitFailoverFrom(master, "{a}k");
            assertThat(next.command("GET", "{a}k")).isEqualTo("v");
        }
    }
}
