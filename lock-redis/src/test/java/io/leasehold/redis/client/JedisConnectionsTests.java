package io.leasehold.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.servers.FreePort;
import io.leasehold.testsupport.QuietLog;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Attempts to connect that fail. */
class JedisConnectionsTests {

    private final QuietLog quiet = new QuietLog("redis.clients.jedis");

    @AfterEach
    void close() {
        quiet.close();
    }

    @Test
    void anAttemptWithoutSentinelsLeavesNoPool() throws Exception {
        RedisSentinelConfiguration sentinels =
                new RedisSentinelConfiguration("mymaster", Set.of("127.0.0.1:" + FreePort.find()));
        try (JedisConnections connections = new JedisConnections(new JedisConnectionFactory(sentinels))) {
            int before = pools();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(connections::factory).isInstanceOf(Exception.class);
            }
            assertThat(pools()).isEqualTo(before);
        }
    }

    private static int pools() throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.apache.commons.pool2:*"), null)
                .size();
    }
}
