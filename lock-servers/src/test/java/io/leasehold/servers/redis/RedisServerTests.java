package io.leasehold.servers.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** Tests the fixture on which other tests rely. */
class RedisServerTests {

    @Test
    void itAnswersAndEndsByItsOwnPid() {
        ProcessHandle process;
        try (RedisServer redis = RedisServer.start()) {
            process = ProcessHandle.of(redis.pid()).orElseThrow();
            assertThat(redis.command("PING")).isEqualTo("PONG");
        }
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void itListensOnTheLoopbackInterfaceOnly() {
        try (RedisServer redis = RedisServer.start()) {
            assertThat(redis.command("CONFIG", "GET", "bind").toString()).isEqualTo("[bind, 127.0.0.1]");
        }
    }

    @Test
    void aKilledServerStartsAgainWithoutItsDataUnlessItIsDurable() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("SET", "k", "v");
            int port = redis.port();
            redis.kill();
            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.command("GET", "k")).isNull();
        }
    }

    @Test
    void aDurableServerKeepsItsDataThroughAKill() {
        try (RedisServer redis = RedisServer.startDurable()) {
            redis.command("SET", "k", "v");
            redis.kill();
            redis.restart();
            assertThat(redis.command("GET", "k")).isEqualTo("v");
            redis.stop();
            redis.restartEmpty();
            assertThat(redis.command("GET", "k")).isNull();
        }
    }

    @Test
    void aServerKeepsItsOwnConfigurationThroughAKill() {
        try (RedisServer redis = RedisServer.start("replicaof 127.0.0.1 1")) {
            redis.command("REPLICAOF", "NO", "ONE");
            assertThat(redis.command("CONFIG", "REWRITE")).isEqualTo("OK");
            redis.kill();
            redis.restart();
            assertThat(redis.command("ROLE").toString()).startsWith("[master");
            redis.kill();
            redis.restartEmpty();
            assertThat(redis.command("ROLE").toString()).startsWith("[slave");
        }
    }

    @Test
    void aPausedServerDoesNotAnswerUntilItResumes() throws IOException {
        try (RedisServer redis = RedisServer.start();
                RespClient client = new RespClient(redis.port(), 300)) {
            client.command("PING");
            redis.pause();
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(SocketTimeoutException.class);
            redis.resume();
            assertThat(redis.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void settingsAreApplied() {
        try (RedisServer redis = RedisServer.start("requirepass secret", "maxmemory 3mb")) {
            assertThat(redis.command("CONFIG", "GET", "maxmemory").toString()).contains("3145728");
        }
    }

    @Test
    void aReplicaFollowsItsMaster() {
        try (RedisServer master = RedisServer.start("repl-diskless-sync-delay 0");
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
            master.command("SET", "k", "v");
            await().until(() -> "v".equals(replica.command("GET", "k")));
        }
    }

    @Test
    void aNodeOfAClusterStarts() {
        try (RedisServer redis = RedisServer.start("cluster-enabled yes")) {
            assertThat(redis.command("CLUSTER", "INFO").toString()).contains("cluster_state:");
        }
    }

    @Test
    void aServerThatCannotStartReportsTheReason() {
        assertThatThrownBy(() -> RedisServer.start("no-such-setting 1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }
}
