package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.adapter.integration.LockerLockRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.locker.LockCustomizerException;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.locker.LockerCustomizer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Beans that customize the settings of lockers and the keys of requests. */
class CustomizersTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "none");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=0s");

    @Test
    void settingsAreCustomizedInOrderForEachLocker() {
        runner.withUserConfiguration(Settings.class)
                .withPropertyValues("lock.lockers.deploy.ttl=20s", "lock.lockers.billing.ttl=20s")
                .run(context -> {
                    try (LockHandle deploy = context.getBean("deployLocker", Locker.class)
                                    .lock("a");
                            LockHandle billing = context.getBean("billingLocker", Locker.class)
                                    .lock("a")) {
                        assertThat(deploy.remaining()).isBetween(Duration.ofSeconds(21), Duration.ofSeconds(40));
                        assertThat(billing.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
                    }
                });
    }

    @Test
    void annotatedMethodsAndInjectedLockersLockTheSameCustomizedKey() {
        runner.withUserConfiguration(Keys.class).withBean(Invoices.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            Invoices invoices = context.getBean(Invoices.class);
            try (LockHandle held = locker.lock("7")) {
                assertThat(held.key()).isEqualTo("test/none/7");
                assertThat(locker.visibleKey("7")).isEqualTo("test/none/7");
                assertThat(locker.describe("7")).succeedsWithin(LONG).isInstanceOf(LockState.Held.class);
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> invoices.print(List.of("7")))
                        .withMessageContaining("'test/none/7'");
            }
            assertThat(invoices.print(List.of("7", "3"))).containsExactly("test/none/7", "test/none/3");
            assertThat(locker.executeLocked("7", () -> invoices.print(List.of("7"))))
                    .containsExactly("test/none/7");
            assertThat(locker.executeLocked("7", () -> locker.executeLocked("7", () -> "joined")))
                    .isEqualTo("joined");
        });
    }

    @Test
    void aThreadOfSpringIntegrationDoesNotEnterTheLockOfAnotherTenantAgain() {
        runner.withUserConfiguration(Keys.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            LockerLockRegistry registry = new LockerLockRegistry(locker);
            Lock ofNone = registry.obtain("orders");
            assertThat(ofNone.tryLock()).isTrue();
            TENANT.set("acme");
            try (LockHandle elsewhere = locker.lock("orders")) {
                assertThat(elsewhere.key()).isEqualTo("test/acme/orders");
                assertThat(registry.obtain("orders").tryLock()).isFalse();
                assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("orders"));
                assertThat(ofNone.tryLock()).isTrue();
                ofNone.unlock();
            } finally {
                TENANT.remove();
            }
            registry.obtain("orders").unlock();
            assertThat(locker.tryLock("orders")).isPresent();
        });
    }

    @Test
    void asynchronousMethodsCustomizeOnTheThreadThatCallsThem() {
        runner.withUserConfiguration(Keys.class).withBean(Invoices.class).run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            TENANT.set("acme");
            Mono<String> mono;
            CompletableFuture<String> stage;
            try {
                mono = invoices.printLater("7");
                stage = invoices.printSoon("8");
            } finally {
                TENANT.remove();
            }
            assertThat(mono.block()).isEqualTo("test/acme/7");
            assertThat(stage).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("test/acme/8");
            assertThat(context.getBean(Locker.class)
                            .tryLockAsync(LockRequest.of("9"))
                            .toCompletableFuture()
                            .join())
                    .hasValueSatisfying(held -> assertThat(held.key()).isEqualTo("test/none/9"));
        });
    }

    @Test
    void aTransactionJoinsByTheCustomizedKey() {
        runner.withUserConfiguration(Keys.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            new TransactionTemplate(new FakeTransactions()).executeWithoutResult(status -> {
                LockHandle first = locker.lock("7");
                assertThat(locker.lock("7").fencingToken()).isEqualTo(first.fencingToken());
                assertThat(locker.withoutTransactions().tryLock("7")).isEmpty();
            });
        });
    }

    @Test
    void customizedKeysAreMaskedAfterwards() {
        runner.withUserConfiguration(Keys.class)
                .withBean(Invoices.class)
                .withPropertyValues("lock.mask-keys=true")
                .run(context -> {
                    String masked = LockKeys.mask("test/none/7");
                    assertThat(context.getBean(Invoices.class).print(List.of("7")))
                            .containsExactly(masked);
                    try (LockHandle held = context.getBean(Locker.class).lock("7")) {
                        assertThat(held.key()).isEqualTo(masked);
                    }
                });
    }

    @Test
    void aKeyThatCannotBeUsedFailsTheCallOfAnAnnotatedMethodThroughItsResult() {
        runner.withBean("blank", LockKeyCustomizer.class, () -> (locker, key) -> "")
                .withBean(Invoices.class)
                .run(context -> {
                    Invoices invoices = context.getBean(Invoices.class);
                    assertThatExceptionOfType(LockCustomizerException.class)
                            .isThrownBy(() -> invoices.print(List.of("7")))
                            .withMessageContainingAll("'blank'", "'default'", "''");
                    assertThatExceptionOfType(LockCustomizerException.class)
                            .isThrownBy(() -> invoices.printLater("7").block());
                    assertThat(invoices.printSoon("7"))
                            .failsWithin(Duration.ZERO)
                            .withThrowableThat()
                            .withCauseInstanceOf(LockCustomizerException.class);
                });
    }

    @Test
    void aCallLocksTheKeyThatALockerAroundOneOfOursLocks() {
        wrapped().run(context -> {
            Locker audited = context.getBean("auditedLocker", Locker.class);
            Audits audits = context.getBean(Audits.class);
            LockerLockRegistry registry = new LockerLockRegistry(audited);
            assertThat(audits.print("7")).isEqualTo("test/none/7");
            assertThat(audited.executeLocked("7", () -> audits.print("7"))).isEqualTo("test/none/7");
            try (LockHandle held = audited.lock("7")) {
                assertThat(held.key()).isEqualTo("test/none/7");
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> audits.print("7"))
                        .withMessageContaining("'test/none/7'");
                assertThat(registry.obtain("7").tryLock()).isFalse();
            }
        });
    }

    @Test
    void aNestedCallJoinsTheLockOfALockerAroundOneOfOurs() {
        wrapped().run(context -> {
            Audits audits = context.getBean(Audits.class);
            assertThat(audits.nested(audits, "7")).isEqualTo("test/none/7");
        });
    }

    @Test
    void aLockerAroundOneOfOursKeepsWhatItOverrides() {
        wrapped().run(context -> {
            Audited audited = context.getBean("auditedLocker", Audited.class);
            context.getBean(Audits.class).print("7");
            assertThat(audited.requested).containsExactly("test/none/7");
        });
    }

    @Test
    void theEndOfALockOfSpringIntegrationIsNotLeftToTheTransactionByALockerAroundOneOfOurs() {
        wrapped().run(context -> {
            LockerLockRegistry registry = new LockerLockRegistry(context.getBean("auditedLocker", Locker.class));
            new TransactionTemplate(new FakeTransactions()).executeWithoutResult(status -> {
                Lock lock = registry.obtain("7");
                assertThat(lock.tryLock()).isTrue();
                lock.unlock();
                assertThat(CompletableFuture.supplyAsync(
                                () -> registry.obtain("7").tryLock()))
                        .succeedsWithin(LONG)
                        .isEqualTo(true);
            });
        });
    }

    @Test
    void aLockerThatChangesKeysChangesThemOnce() {
        wrapped().run(context -> {
            Locker prefixed = context.getBean("prefixedLocker", Locker.class);
            LockerLockRegistry registry = new LockerLockRegistry(prefixed);
            Locker uncustomized = prefixed.withoutKeyCustomizers();
            assertThat(uncustomized.visibleKey("test/none/audit-7")).isEqualTo("test/none/audit-7");
            assertThat(uncustomized.withoutKeyCustomizers()).isSameAs(uncustomized);
            assertThat(context.getBean(Audits.class).printPrefixed("7")).isEqualTo("test/none/audit-7");
            try (LockHandle held = prefixed.lock("7")) {
                assertThat(held.key()).isEqualTo("test/none/audit-7");
                assertThat(registry.obtain("7").tryLock()).isFalse();
            }
        });
    }

    @Test
    void anAnnotatedMethodHasTheKeyOfALockerThatChangesIt() {
        runner.withPropertyValues("lock.lockers.orders.ttl=30s")
                .withUserConfiguration(Wrapped.class)
                .withBean(Audits.class)
                .run(context -> assertThat(context.getBean(Audits.class).printPrefixed("7"))
                        .isEqualTo("audit-7"));
    }

    private ApplicationContextRunner wrapped() {
        return runner.withPropertyValues("lock.lockers.orders.ttl=30s")
                .withUserConfiguration(Keys.class, Wrapped.class)
                .withBean(Audits.class);
    }

    @Test
    void anAsynchronousCacheCustomizesOnTheThreadThatCallsIt() {
        runner.withUserConfiguration(Keys.class).run(context -> {
            PendingCache pending = new PendingCache();
            Cache cache = locking(pending, context.getBean(Locker.class));
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            TENANT.set("acme");
            CompletableFuture<String> result;
            try {
                result = cache.retrieve(
                        "7",
                        () -> CompletableFuture.completedFuture(
                                lockers.status("default").held().get(0).key()));
            } finally {
                TENANT.remove();
            }
            CompletableFuture.runAsync(() -> pending.lookUp.complete(null));
            assertThat(result).succeedsWithin(LONG).isEqualTo("test/acme/prices:7");
        });
    }

    @Test
    void aKeyThatCannotBeUsedFailsTheCallOfAnAsynchronousCacheOnlyIfTheValueIsMissing() {
        runner.withBean("blank", LockKeyCustomizer.class, () -> (locker, key) -> "")
                .run(context -> {
                    PendingCache pending = new PendingCache();
                    Cache cache = locking(pending, context.getBean(Locker.class));
                    CompletableFuture<String> found = cache.retrieve("7", CompletableFuture::new);
                    pending.lookUp.complete("cached");
                    assertThat(found).isCompletedWithValue("cached");
                    pending.lookUp = new CompletableFuture<>();
                    CompletableFuture<String> missing = cache.retrieve("7", CompletableFuture::new);
                    pending.lookUp.complete(null);
                    assertThat(missing)
                            .failsWithin(Duration.ZERO)
                            .withThrowableThat()
                            .withCauseInstanceOf(LockCustomizerException.class);
                });
    }

    private static Cache locking(Cache cache, Locker locker) {
        SimpleCacheManager caches = new SimpleCacheManager();
        caches.setCaches(List.of(cache));
        caches.initializeCaches();
        return Objects.requireNonNull(new LockingCacheManager(caches, locker).getCache(cache.getName()));
    }

    /** A cache in another process, whose client completes the look-up later. */
    private static final class PendingCache extends ConcurrentMapCache {

        private CompletableFuture<Object> lookUp = new CompletableFuture<>();

        PendingCache() {
            super("prices");
        }

        @Override
        public CompletableFuture<?> retrieve(Object key) {
            return lookUp;
        }

        @Override
        public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
            return loader.get();
        }
    }

    static class Audits {

        @DistributedLock(key = "#id", locker = "audited")
        String print(String id) {
            return LockContext.current().orElseThrow().key();
        }

        @DistributedLock(key = "#id", locker = "audited")
        String nested(Audits self, String id) {
            return self.print(id);
        }

        @DistributedLock(key = "#id", locker = "prefixed")
        String printPrefixed(String id) {
            return LockContext.current().orElseThrow().key();
        }
    }

    /** A locker of an application around one of the auto-configuration. */
    static final class Audited extends DelegatingLocker {

        private final List<String> requested = new CopyOnWriteArrayList<>();

        Audited(Locker delegate) {
            super(delegate);
        }

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            requested.add(request.key());
            return super.tryLock(request);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Wrapped {

        @Bean
        Audited auditedLocker(@Qualifier("orders") Locker locker) {
            return new Audited(locker);
        }

        @Bean
        Locker prefixedLocker(@Qualifier("orders") Locker locker) {
            return new DelegatingLocker(locker) {

                @Override
                protected String delegateKey(String key) {
                    return "audit-" + key;
                }
            };
        }
    }

    static class Invoices {

        @DistributedLock(key = "#ids")
        List<String> print(List<String> ids) {
            return ids.stream()
                    .map(id -> LockContext.all().stream()
                            .map(LockHandle::key)
                            .filter(key -> key.endsWith("/" + id) || key.equals(LockKeys.mask("test/none/" + id)))
                            .findFirst()
                            .orElse("not locked"))
                    .toList();
        }

        @DistributedLock(key = "#id")
        Mono<String> printLater(String id) {
            return Mono.just(LockContext.current().orElseThrow().key());
        }

        @DistributedLock(key = "#id")
        CompletableFuture<String> printSoon(String id) {
            return CompletableFuture.completedFuture(
                    LockContext.current().orElseThrow().key());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Settings {

        @Bean
        @Order(2)
        LockerCustomizer twiceAsLong() {
            return settings -> settings.name().equals("deploy")
                    ? settings.withTtl(settings.ttl().multipliedBy(2))
                    : settings;
        }

        @Bean
        @Order(1)
        LockerCustomizer atMost() {
            return settings -> settings.withTtl(Duration.ofSeconds(20)).withMaxHoldTime(Duration.ofHours(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Keys {

        @Bean
        @Order(2)
        LockKeyCustomizer stage() {
            return (locker, key) -> "test/" + key;
        }

        @Bean
        @Order(1)
        LockKeyCustomizer tenants() {
            return (locker, key) -> TENANT.get() + "/" + key;
        }
    }
}
