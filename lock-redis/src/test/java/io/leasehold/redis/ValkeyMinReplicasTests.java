package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.servers.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replica of Valkey has to confirm every lease. */
@ExtendWith(OnValkey.class)
class ValkeyMinReplicasTests extends MinReplicasTests {

    @Test
    void theServersAreThoseOfValkey() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(String.valueOf(server.command("INFO", "server"))).contains("valkey_version:");
        }
    }
}
