package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.QuorumNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures a quorum of five real servers, and prints the figures. */
@Tag("soak")
class RedlockFiguresTests {

    private static final Duration TTL = Duration.ofSeconds(10);

    private static final Pattern MICROS_PER_CALL = Pattern.compile("cmdstat_evalsha:.*?usec_per_call=([0-9.]+)");

    private final FiveRedis redis = new FiveRedis();

    private final RedlockLockBackend backend = redis.direct(FiveRedis.options());

    private final StoreClient client = new StoreClient(backend, "figures");

    @BeforeEach
    void connect() {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> isGranted(client, "probe-" + client.token().value(), Duration.ofSeconds(1)));
    }

    @AfterEach
    void close() {
        backend.close();
        redis.close();
    }

    /** Target: at most 1.5 times the slowest single node's round trip. */
    @Test
    void anAcquisitionBesideTheSlowestRoundTrip() {
        redis.proxies.forEach(proxy -> proxy.delay(Duration.ofMillis(10)));
        RedlockLockBackend distant =
                redis.proxied(new RedlockLockOptions(Duration.ofSeconds(5), Duration.ofMinutes(1)));
        StoreClient caller = new StoreClient(distant, "figures");
        try {
            caller.release(caller.grant("warm-up"));
            List<Long> acquisitions = new ArrayList<>();
            List<Long> roundTrips = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int round = i;
                acquisitions.add(nanos(() -> caller.grant("ratio-" + round).firstFence()));
                roundTrips.add(nanos(() -> slowestRoundTrip(distant)));
            }
            double ratio = (double) percentile(acquisitions, 50) / percentile(roundTrips, 50);
            System.out.printf("acquire / slowest round trip of five nodes, 20 ms away, 300 rounds: %.2f%n", ratio);
            assertThat(ratio).isLessThan(1.5);
        } finally {
            distant.close();
        }
    }

    /** Target: p99 under twice the node timeout, and no failure. */
    @Test
    void acquisitionsWithTwoServersStopped() {
        redis.servers.get(1).pause();
        redis.servers.get(4).pause();
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Held[] held = new Held[1];
            int round = i;
            nanos.add(nanos(() -> {
                held[0] = client.grant(client.id("two-" + round), TTL);
                return 0;
            }));
            client.release(held[0]);
        }
        System.out.printf(
                "2 of 5 stopped, node timeout %d ms, 1000 acquisitions: p50 %.1f ms, p99 %.1f ms, longest %.1f ms, 0 failed%n",
                FiveRedis.NODE_TIMEOUT.toMillis(),
                percentile(nanos, 50) / 1e6,
                percentile(nanos, 99) / 1e6,
                percentile(nanos, 100) / 1e6);
        assertThat(percentile(nanos, 99))
                .isLessThan(FiveRedis.NODE_TIMEOUT.multipliedBy(2).toNanos());
    }

    /** Target: refused within twice the node timeout, and no lock is left on the other two servers. */
    @Test
    void acquisitionsWithThreeServersStopped() {
        redis.servers.subList(0, 3).forEach(RedisServer::pause);
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int round = i;
            nanos.add(nanos(() -> {
                assertThat(isGranted(client, "three-" + round, Duration.ofMinutes(1)))
                        .isFalse();
                return 0;
            }));
        }
        System.out.printf(
                "3 of 5 stopped, node timeout %d ms, 50 acquisitions: refused after p50 %.0f ms, longest %.0f ms%n",
                FiveRedis.NODE_TIMEOUT.toMillis(), percentile(nanos, 50) / 1e6, percentile(nanos, 100) / 1e6);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> redis.servers.subList(3, 5).stream()
                        .allMatch(server -> String.valueOf(server.command("KEYS", "figures:*"))
                                .equals("[]")));
        assertThat(percentile(nanos, 100))
                .isLessThan(FiveRedis.NODE_TIMEOUT.multipliedBy(2).toNanos());
    }

    /** The cost of a vote for the server, and the share of reading its own age. */
    @Test
    void aVoteBesideTheSameVoteWithoutTheServersAge() throws Exception {
        RedisServer server = redis.servers.get(0);
        String source = new String(
                QuorumNode.class
                        .getResourceAsStream("/io/leasehold/redis/vote.lua")
                        .readAllBytes(),
                java.nio.charset.StandardCharsets.UTF_8);
        String blind = source.replace("redis.call('INFO', 'server')", "'run_id:a uptime_in_seconds:1'");
        assertThat(blind).isNotEqualTo(source);
        double with = microsPerCall(server, source);
        double without = microsPerCall(server, blind);
        System.out.printf(
                "vote with INFO %.1f us of the server's time, without %.1f us: %.2f times%n",
                with, without, with / without);
    }

    private static double microsPerCall(RedisServer server, String script) throws Exception {
        String digest = String.valueOf(server.command("SCRIPT", "LOAD", script));
        try (var connection = new io.leasehold.servers.redis.RespClient(server.port(), 10_000)) {
            for (int run = 0; run < 2; run++) {
                server.command("CONFIG", "RESETSTAT");
                for (int i = 0; i < 10_000; i++) {
                    connection.command(
                            "EVALSHA", digest, "2", "v" + i, "{v" + i + "}:fence", "t", "60000", "1", "60000", "1");
                }
                server.command("FLUSHALL");
            }
        }
        String statistics = String.valueOf(server.command("INFO", "commandstats"));
        // a vote that fails, or finds the lock busy, has another cost
        assertThat(server.calls()).containsEntry("set", 2 * 10_000L);
        assertThat(statistics).containsPattern("cmdstat_evalsha:.*,rejected_calls=0,failed_calls=0");
        Matcher micros = MICROS_PER_CALL.matcher(statistics);
        assertThat(micros.find()).isTrue();
        return Double.parseDouble(micros.group(1));
    }

    private static boolean isGranted(StoreClient client, String key, Duration ttl) {
        CompletableFuture<AcquireAnswer> asked = client.backend()
                .acquire(new AcquireCommand(client.id(key), client.token(), ttl, 1, false))
                .toCompletableFuture();
        try {
            return asked.get(20, TimeUnit.SECONDS) instanceof AcquireAnswer.Granted;
        } catch (java.util.concurrent.ExecutionException refused) {
            return false;
        } catch (InterruptedException | java.util.concurrent.TimeoutException ex) {
            throw new AssertionError(ex);
        }
    }

    private static long slowestRoundTrip(RedlockLockBackend asked) {
        List<CompletableFuture<QuorumNode.ServerIdentity>> all =
                asked.resources().nodes().askAll(QuorumNode::serverIdentity);
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        return all.size();
    }

    private static long nanos(LongSupplier work) {
        long start = System.nanoTime();
        work.getAsLong();
        return System.nanoTime() - start;
    }

    private static long percentile(List<Long> nanos, int percent) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }
}
