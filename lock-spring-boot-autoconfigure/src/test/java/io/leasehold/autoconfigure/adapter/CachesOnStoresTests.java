package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import reactor.core.publisher.Mono;

/** Two applications that share a cache in Redis compute a value once, with locks in any store. */
@Timeout(120)
class CachesOnStoresTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Source source = new Source();

    private final String key = UUID.randomUUID().toString();

    static Stream<Named<ApplicationContextRunner>> stores() {
        MemoryLockBackend memory = new MemoryLockBackend(System::nanoTime, InstantSource.system());
        return Stream.concat(
                Stream.of(Named.of(
                        "memory", runner("lock.backend=one").withBean("one", LockBackend.class, () -> memory))),
                AdapterStores.all().map(store -> Named.of(store.getName(), runner(store.getPayload()))));
    }

    private static ApplicationContextRunner runner(String... store) {
        RedisServer redis = RedisServer.shared();
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        LockAutoConfiguration.class,
                        LockCacheAutoConfiguration.class))
                .withUserConfiguration(Caches.class)
                .withBean(Prices.class)
                .withPropertyValues(
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "lock.lockers.caches.wait-time=30s",
                        "lock.cache.locker=caches")
                .withPropertyValues(store);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aValueIsComputedOnce(ApplicationContextRunner runner) {
        ApplicationContextRunner instance = runner.withBean(Source.class, () -> source);
        instance.run(one -> instance.run(two -> {
            bothCompute(one, two, prices -> prices.now("now-" + key));
            bothCompute(one, two, prices -> prices.later("later-" + key).get());
            bothCompute(
                    one,
                    two,
                    prices -> prices.reactive("reactive-" + key).toFuture().get());
        }));
    }

    private void bothCompute(ApplicationContext one, ApplicationContext two, Call call) throws Exception {
        source.reset();
        Future<String> first = inBackground(() -> call.of(one.getBean(Prices.class)));
        await().atMost(SOON).until(() -> source.computed.get() == 1);
        Future<String> second = inBackground(() -> call.of(two.getBean(Prices.class)));
        await().atMost(SOON).until(() -> waiting(two) == 1);
        source.price.complete("12 EUR");
        assertThat(result(first)).isEqualTo("12 EUR");
        assertThat(result(second)).isEqualTo("12 EUR");
        assertThat(call.of(two.getBean(Prices.class))).isEqualTo("12 EUR");
        assertThat(source.computed).hasValue(1);
    }

    private static int waiting(ApplicationContext context) {
        return context.getBean(LockerRegistry.class).status("caches").waiting();
    }

    private static Future<String> inBackground(Callable<String> call) {
        FutureTask<String> task = new FutureTask<>(call);
        new Thread(task).start();
        return task;
    }

    private static String result(Future<String> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private interface Call {

        String of(Prices prices) throws Exception;
    }

    /** Where prices come from, slowly. All instances have the same one. */
    static class Source {

        private final AtomicInteger computed = new AtomicInteger();

        private volatile CompletableFuture<String> price = new CompletableFuture<>();

        void reset() {
            computed.set(0);
            price = new CompletableFuture<>();
        }

        CompletableFuture<String> price() {
            computed.incrementAndGet();
            return price;
        }
    }

    static class Prices {

        private final Source source;

        Prices(Source source) {
            this.source = source;
        }

        @Cacheable(cacheNames = "prices", sync = true)
        public String now(String item) {
            return source.price().join();
        }

        @Cacheable(cacheNames = "prices", sync = true)
        public CompletableFuture<String> later(String item) {
            return source.price();
        }

        @Cacheable(cacheNames = "prices", sync = true)
        public Mono<String> reactive(String item) {
            return Mono.fromFuture(source::price);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(proxyTargetClass = true)
    static class Caches {

        @Bean
        CacheManager cacheManager(RedisConnectionFactory connections) {
            return RedisCacheManager.create(connections);
        }
    }
}
