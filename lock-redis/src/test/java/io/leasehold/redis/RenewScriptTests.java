package io.leasehold.redis;

import static io.leasehold.spi.RenewAnswer.NOT_OWNER;
import static io.leasehold.spi.RenewAnswer.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.RenewCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Properties of renewals that only Redis has, beyond the contract: foreign writes to keys, and commands. */
class RenewScriptTests {

    private static final Duration TTL = Duration.ofMinutes(5);

    private static RedisServer redis;

    private static RedisClient client;

    private static LockBackend backend;

    private final StoreClient store = new StoreClient(backend, "renewal");

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        client = RedisClient.of(redis.port());
        backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());
    }

    @AfterAll
    static void stop() {
        backend.close();
        client.close();
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.command("FLUSHALL");
    }

    @Test
    void aKeyThatAForeignClientPersistedExpiresAgain() {
        Held held = store.grant("a");
        redis.command("PERSIST", held.id().encoded());
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        assertThat(remainingMillis(held)).isBetween(1L, TTL.toMillis());
    }

    @Test
    void aKeyOverwrittenWithAnotherTypeSpoilsNoOtherRenewal() {
        Held overwritten = store.grant("a");
        Held held = store.grant("b");
        redis.command("DEL", overwritten.id().encoded());
        redis.command("RPUSH", overwritten.id().encoded(), "element");
        assertThat(store.renew(List.of(command(overwritten), command(held)))).containsExactly(NOT_OWNER, RENEWED);
        assertThat(redis.command("TYPE", overwritten.id().encoded())).isEqualTo("list");
    }

    @Test
    void aRenewalReadsTheFenceAndSetsTheTimeOfEachLockAndReadsAllOwnersAtOnce() {
        List<RenewCommand> commands = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            commands.add(command(store.grant("key-" + i)));
        }
        redis.command("CONFIG", "RESETSTAT");
        assertThat(store.renew(commands)).containsOnly(RENEWED);
        assertThat(String.valueOf(redis.command("INFO", "commandstats")))
                .contains("cmdstat_mget:calls=1,", "cmdstat_pexpire:calls=100,", "cmdstat_pttl:calls=100,")
                .doesNotContain("cmdstat_get:");
    }

    /** Since Redis 7.2, {@code WAIT} counts the replicas that have a connection's last write, and not its last command. */
    @Test
    void aRenewalForLessThanIsLeftIsAWriteForReplicasToConfirm() {
        Held held = store.grant(store.id("a"), TTL.multipliedBy(2));
        long before = changes();
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        assertThat(changes()).isGreaterThan(before);
        assertThat(remainingMillis(held)).isGreaterThan(TTL.toMillis());
    }

    @Test
    void aRepeatedReleaseIsAWriteForReplicasToConfirm() {
        Held held = store.grant("a");
        store.release(held, Duration.ofSeconds(60));
        long before = changes();
        store.release(held, TTL);
        assertThat(changes()).isGreaterThan(before);
        assertThat(remainingMillis(held)).isBetween(1L, 60_000L);
    }

    @Test
    void aRenewalProlongsAFenceThatWouldExpireBeforeTheLease() {
        Held held = store.grant("a");
        String fence = "{" + held.id().encoded() + "}:fence";
        redis.command("PEXPIRE", fence, "1000");
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        long retention = RedisLockOptions.defaults().fenceRetention().toMillis();
        assertThat((Long) redis.command("PTTL", fence)).isBetween(retention, retention + TTL.toMillis());
    }

    @Test
    void aRenewalNeitherCreatesNorShortensAFence() {
        Held held = store.grant("a");
        String fence = "{" + held.id().encoded() + "}:fence";
        redis.command("PERSIST", fence);
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        assertThat(redis.command("PTTL", fence)).isEqualTo(-1L);
        redis.command("PEXPIRE", fence, "86400000");
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        assertThat((Long) redis.command("PTTL", fence)).isGreaterThan(80_000_000);
        redis.command("DEL", fence);
        assertThat(store.renew(held, TTL)).isEqualTo(RENEWED);
        assertThat(redis.command("EXISTS", fence)).isEqualTo(0L);
    }

    @Test
    void onlyTheOwnersRenewalProlongsTheFence() {
        Held held = store.grant("a");
        String fence = "{" + held.id().encoded() + "}:fence";
        redis.command("PEXPIRE", fence, "60000");
        redis.command("SET", held.id().encoded(), "another");
        assertThat(store.renew(held, TTL)).isEqualTo(NOT_OWNER);
        assertThat((Long) redis.command("PTTL", fence)).isBetween(1L, 60_000L);
    }

    @Test
    void aServerThatCannotCompareIsAskedForTheRemainingTime() {
        String script =
                new String(Renewals.RENEW.source(), StandardCharsets.UTF_8).replace("redis.REDIS_VERSION_NUM", "nil");
        Held longer = store.grant(store.id("a"), TTL);
        Held shorter = store.grant(store.id("b"), Duration.ofSeconds(50));
        String tokens = longer.token().valueWithHolder() + shorter.token().valueWithHolder();
        assertThat(redis.command(
                        "EVAL",
                        script,
                        "2",
                        longer.id().encoded(),
                        shorter.id().encoded(),
                        tokens,
                        "3600000",
                        "100000"))
                .isEqualTo("11");
        assertThat(remainingMillis(longer)).isGreaterThan(200_000);
        assertThat(remainingMillis(shorter)).isBetween(51_000L, 100_000L);
    }

    private static RenewCommand command(Held held) {
        return new RenewCommand(held.id(), held.token(), TTL);
    }

    private static long changes() {
        String info = String.valueOf(redis.command("INFO", "persistence"));
        Matcher changes = Pattern.compile("rdb_changes_since_last_save:(\\d+)").matcher(info);
        assertThat(changes.find()).isTrue();
        return Long.parseLong(changes.group(1));
    }

    private static long remainingMillis(Held held) {
        return redis.command("PTTL", held.id().encoded()) instanceof Long millis ? millis : -3;
    }
}
