package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Measures the cost of waiting for a replica, compared with the same set-up without it in the same run. Prints the
 * ratios.
 */
@Tag("soak")
@Timeout(300)
class ReplicaCostTests {

    private static final Duration RUN = Duration.ofMillis(200);

    private static final int RUNS = 31;

    @Test
    void waitingForAReplicaBesideNotWaiting() {
        RedisLockOptions options = RedisLockOptions.defaults();
        try (RedisSentinels sentinels = RedisSentinels.start(1);
                RedisClient client = RedisClient.of(sentinels);
                LockBackend none = RedisLockBackend.of(client.factory(), options.withMinReplicas(0));
                LockBackend one = RedisLockBackend.of(
                        client.factory(), options.withMinReplicas(1).withGracePeriod(Duration.ofSeconds(1)));
                LockBackend withoutGracePeriod = RedisLockBackend.of(
                        client.factory(), options.withMinReplicas(1).withGracePeriod(Duration.ZERO))) {
            for (int threads : new int[] {1, 32}) {
                compare("one replica / none", one, none, threads);
                compare("grace period / without, one replica each", one, withoutGracePeriod, threads);
                assertThat(confirmations(sentinels.master(), none, threads)).isZero();
                // one for a grant and one for a release, which threads share
                assertThat(confirmations(sentinels.master(), one, threads)).isGreaterThanOrEqualTo(2.0 / threads);
            }
        }
    }

    private static void compare(String name, LockBackend first, LockBackend second, int threads) {
        List<Double> ratios = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            double divisor = cyclesPerSecond(second, threads);
            ratios.add(cyclesPerSecond(first, threads) / divisor);
        }
        ratios.sort(null);
        System.out.printf(
                "acquire + release, %s, %d threads, median of %d runs: %.2f (%.2f to %.2f)%n",
                name, threads, RUNS, ratios.get(RUNS / 2), ratios.get(RUNS / 4), ratios.get(RUNS * 3 / 4));
    }

    /** How often a cycle waits for replicas. The ratios say nothing of a run that does not wait as configured. */
    private static double confirmations(RedisServer master, LockBackend backend, int threads) {
        StoreClient store = warmedUp(backend);
        master.command("CONFIG", "RESETSTAT");
        int cycles = cycles(store, threads, System.nanoTime());
        return (double) master.calls().getOrDefault("wait", 0L) / cycles;
    }

    private static double cyclesPerSecond(LockBackend backend, int threads) {
        StoreClient store = warmedUp(backend);
        long start = System.nanoTime();
        int cycles = cycles(store, threads, start);
        return cycles * 1e9 / (System.nanoTime() - start);
    }

    private static StoreClient warmedUp(LockBackend backend) {
        StoreClient store = new StoreClient(backend, "cost");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> store.release(store.grant("warm-up")) == ReleaseAnswer.RELEASED);
        return store;
    }

    private static int cycles(StoreClient store, int threads, long start) {
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String key = "t" + i;
            all.add(CompletableFuture.supplyAsync(
                    () -> cycles(store, key, start), task -> new Thread(task, "cost").start()));
        }
        return all.stream().mapToInt(CompletableFuture::join).sum();
    }

    private static int cycles(StoreClient store, String key, long start) {
        int cycles = 0;
        while (System.nanoTime() - start < RUN.toNanos()) {
            Held held = store.grant(key);
            store.release(held);
            cycles++;
        }
        return cycles;
    }
}
