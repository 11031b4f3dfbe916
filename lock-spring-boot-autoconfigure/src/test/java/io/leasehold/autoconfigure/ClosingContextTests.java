package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

/**
 * A context that closes while threads that Spring does not manage and reactive flows acquire and release leaves no lock
 * in Redis, however far away that is. The ttl is so long that no lock can have ended by itself.
 */
@Timeout(120)
class ClosingContextTests {

    private static final RedisServer REDIS = RedisServer.shared();

    private static final int CALLERS = 4;

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 100})
    void nothingIsLeftInTheStore(int roundTripMillis) throws Exception {
        String namespace = "closing-" + UUID.randomUUID();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        try (FaultProxy network = new FaultProxy(REDIS.port())) {
            network.delay(Duration.ofMillis(roundTripMillis / 2));
            List<CompletableFuture<Void>> callers = contextOn(network, namespace, context -> {
                Worker worker = context.getBean(Worker.class);
                Stream<CompletableFuture<Void>> threads = IntStream.range(0, CALLERS)
                        .mapToObj(i -> onAThread(() -> worker.run("thread-" + i, runs), over));
                Stream<CompletableFuture<Void>> flows =
                        IntStream.range(0, CALLERS).mapToObj(i -> subscribe(worker.flow("flow-" + i, runs), over));
                List<CompletableFuture<Void>> started =
                        Stream.concat(threads, flows).toList();
                await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() > 10 * CALLERS);
                return started;
            });
            over.set(true);
            CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(40))
                    .untilAsserted(() -> assertThat(left(namespace)).isEmpty());
        }
    }

    private static List<String> left(String namespace) {
        return Stream.of("thread-", "flow-")
                .flatMap(kind -> IntStream.range(0, CALLERS).mapToObj(i -> namespace + ":" + kind + i))
                .filter(key -> !Long.valueOf(0).equals(REDIS.command("EXISTS", key)))
                .toList();
    }

    private static CompletableFuture<Void> onAThread(Runnable call, AtomicBoolean over) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                try {
                    call.run();
                } catch (RuntimeException closed) {
                    Thread.onSpinWait();
                }
            }
            ended.complete(null);
        });
        thread.setDaemon(true);
        thread.start();
        return ended;
    }

    private static CompletableFuture<Void> subscribe(Mono<Void> flow, AtomicBoolean over) {
        return flow.onErrorResume(closed -> Mono.delay(Duration.ofMillis(1)).then())
                .repeat(() -> !over.get())
                .then()
                .toFuture();
    }

    private static <T> T contextOn(FaultProxy network, String namespace, ContextWork<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
                .withPropertyValues(
                        "lock.backend=redis",
                        "lock.redis.host=" + REDIS.host(),
                        "lock.redis.port=" + network.port(),
                        "lock.lockers.closing.namespace=" + namespace,
                        "lock.lockers.closing.ttl=120s",
                        "lock.lockers.closing.command-timeout=5s")
                .withBean(Worker.class)
                .run(context -> result.complete(work.run(context)));
        return result.join();
    }

    private interface ContextWork<T> {

        T run(ApplicationContext context) throws Exception;
    }

    static class Worker {

        @DistributedLock(locker = "closing", key = "#key")
        public void run(String key, AtomicInteger runs) {
            runs.incrementAndGet();
        }

        @DistributedLock(locker = "closing", key = "#key")
        public Mono<Void> flow(String key, AtomicInteger runs) {
            return Mono.fromRunnable(runs::incrementAndGet);
        }
    }
}
