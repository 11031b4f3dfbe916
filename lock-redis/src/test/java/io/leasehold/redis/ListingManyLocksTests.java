package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListing;
import io.leasehold.contract.StoreClient;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.Token;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Lists 10,000 locks among as many keys of others while another client reads. Prints how long its reads took, with and
 * without listings, and how long Redis was busy with a step.
 */
class ListingManyLocksTests {

    private static final int LOCKS = 10_000;

    private static final int LISTINGS = 10;

    /** How long Redis was busy with the scripts, which are the steps of the listings. */
    private static final Pattern STEPS = Pattern.compile("evalsha:p50=[\\d.]+,p99=[\\d.]+,p100=[\\d.]+");

    private static final Pattern SCANS = Pattern.compile("cmdstat_scan:calls=(\\d+)");

    private static final String HOLDER = "orders@host-1:11";

    private static final Duration TTL = Duration.ofMinutes(10);

    @Test
    void aListingHasAllLocksAndLeavesRoomForOthers() {
        try (RedisServer redis = RedisServer.start();
                RedisClient client = RedisClient.of(redis.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());
                RedisClientAdapter adapter = RedisLockBackend.client(client.factory(), RedisLockOptions.defaults())) {
            StoreClient store = new StoreClient(backend, "deploy");
            StoreClient.await(adapter.connect());
            Instance instance = new Instance(1, HOLDER);
            StoreClient.await(backend.introduce(instance));
            hold(store, instance);
            others(redis);

            assertThat(store.list(100).locks()).hasSize(100);
            assertThat(store.list(100).incomplete()).isEqualTo("more than 100 locks are held");
            Reads alone = reads(redis, () -> {
                long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            });
            redis.command("CONFIG", "SET", "latency-tracking-info-percentiles", "50 99 100");
            redis.command("CONFIG", "RESETSTAT");
            List<Long> took = new ArrayList<>();
            Reads besides = reads(redis, () -> {
                for (int i = 0; i < LISTINGS; i++) {
                    long start = System.nanoTime();
                    LockListing listing = listAll(adapter);
                    took.add((System.nanoTime() - start) / 1_000_000);
                    assertThat(listing.incomplete()).isNull();
                    assertThat(listing.locks())
                            .hasSize(LOCKS)
                            .allSatisfy(
                                    lock -> assertThat(lock.state().holder()).isEqualTo(HOLDER));
                }
            });
            String commands = (String) redis.command("INFO", "commandstats");
            assertThat(commands).doesNotContain("cmdstat_keys:").contains("cmdstat_scan:");
            Matcher steps = STEPS.matcher((String) redis.command("INFO", "latencystats"));
            assertThat(steps.find()).isTrue();
            System.out.printf(
                    "Redis: %d locks listed in %s ms; reads beside: %s; alone: %s; steps in us: %s%n",
                    LOCKS, took, besides, alone, steps.group());
            // counted, not timed: a busy machine may take the processor from Redis in many of the steps
            Matcher scans = SCANS.matcher(commands);
            assertThat(scans.find()).isTrue();
            assertThat(Integer.parseInt(scans.group(1))).isGreaterThan(LISTINGS * 2 * LOCKS / 200);
        }
    }

    /** However long it takes. */
    private static LockListing listAll(RedisClientAdapter adapter) {
        return StoreClient.await(new RedisListing(
                        adapter,
                        id -> CompletableFuture.completedFuture(HOLDER),
                        "deploy",
                        LOCKS,
                        new CompletableFuture<>())
                .run());
    }

    private static void hold(StoreClient store, Instance instance) {
        List<CompletableFuture<AcquireAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            Token random = store.token();
            answers.add(store.backend()
                    .acquire(new AcquireCommand(
                            store.id("service-" + i),
                            new Token(random.high(), random.low(), instance, 0),
                            TTL,
                            1,
                            false))
                    .toCompletableFuture());
        }
        answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(AcquireAnswer.Granted.class));
    }

    private static void others(RedisServer redis) {
        redis.command(
                "EVAL",
                "for i = 1, " + LOCKS + " do redis.call('SET', 'session:' .. i, string.rep('x', 100)) end",
                "0");
    }

    /** Reads a key again and again while an action runs. */
    private static Reads reads(RedisServer redis, Runnable action) {
        io.lettuce.core.RedisClient client =
                io.lettuce.core.RedisClient.create(RedisURI.create(redis.host(), redis.port()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> commands = connection.sync();
            for (int i = 0; i < 2_000; i++) {
                commands.get("session:1");
            }
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Void> running =
                    CompletableFuture.runAsync(action).whenComplete((nothing, failure) -> done.set(true));
            List<Long> nanos = new ArrayList<>();
            while (!done.get()) {
                long start = System.nanoTime();
                commands.get("session:1");
                nanos.add(System.nanoTime() - start);
            }
            running.join();
            return Reads.of(nanos);
        } finally {
            client.shutdown();
        }
    }

    /** The times of reads, in microseconds, and how many took longer than 10 ms. */
    private record Reads(int count, long median, long ninetyNinth, long slowest, long slow) {

        static Reads of(List<Long> nanos) {
            long[] sorted =
                    nanos.stream().mapToLong(each -> each / 1_000).sorted().toArray();
            return new Reads(
                    sorted.length,
                    sorted[sorted.length / 2],
                    sorted[(int) (sorted.length * 0.99)],
                    sorted[sorted.length - 1],
                    Arrays.stream(sorted).filter(each -> each > 10_000).count());
        }
    }
}
