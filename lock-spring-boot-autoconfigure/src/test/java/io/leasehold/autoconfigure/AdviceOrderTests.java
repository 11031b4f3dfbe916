package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.circuitbreaker.configure.CircuitBreakerAspect;
import io.github.resilience4j.spring6.circuitbreaker.configure.CircuitBreakerConfigurationProperties;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.fallback.FallbackExecutor;
import io.github.resilience4j.spring6.retry.configure.RetryAspect;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.DefaultSpelResolver;
import io.github.resilience4j.spring6.spelresolver.SpelResolver;
import io.leasehold.LockAttempt;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.aop.spec.LockDeclarationException;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The order of the lock among the other advice of a method, as docs/order.md describes it. */
@Timeout(30)
class AdviceOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Acquisitions.class);

    @Test
    void eachAttemptOfFrameworksRetryHasItsOwnLock() {
        runner.withUserConfiguration(FrameworkRetries.class)
                .withBean(Retried.class)
                .run(context -> assertThat(tokensOf(context, Retried::byFramework))
                        .doesNotHaveDuplicates()
                        .hasSize(2));
    }

    @Test
    void eachAttemptOfSpringRetryHasItsOwnLock() {
        runner.withUserConfiguration(SpringRetries.class)
                .withBean(Retried.class)
                .run(context -> assertThat(tokensOf(context, Retried::bySpringRetry))
                        .doesNotHaveDuplicates()
                        .hasSize(2));
    }

    @Test
    void eachAttemptOfResilience4jHasItsOwnLock() {
        runner.withUserConfiguration(Resilience.class)
                .withBean(Retried.class)
                .run(context -> assertThat(tokensOf(context, Retried::byResilience4j))
                        .doesNotHaveDuplicates()
                        .hasSize(2));
    }

    @Test
    void allAttemptsHaveOneLockIfTheOrderOfTheLockIsSet() {
        runner.withUserConfiguration(SpringRetries.class)
                .withBean(Retried.class)
                .withPropertyValues("lock.aspect.order=100")
                .run(context -> {
                    List<Long> tokens = tokensOf(context, Retried::bySpringRetry);
                    assertThat(tokens).hasSize(2).containsOnly(tokens.get(0));
                });
    }

    @Test
    void anOpenCircuitBreakerTakesNoLock() {
        runner.withUserConfiguration(Resilience.class).withBean(Broken.class).run(context -> {
            context.getBean(CircuitBreakerRegistry.class).circuitBreaker("x").transitionToOpenState();
            assertThatExceptionOfType(CallNotPermittedException.class)
                    .isThrownBy(() -> context.getBean(Broken.class).run());
            assertThat(acquisitions(context)).isEmpty();
        });
    }

    @Test
    void aCallerThatWaitedForTheLockReadsTheCacheAgain() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            LockHandle held = context.getBean(Locker.class).lock("a");
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(
                    () -> context.getBean(Cached.class).find("a"));
            Awaitility.await()
                    .until(() -> context.getBean(LockerRegistry.class)
                                    .status("default")
                                    .waiting()
                            == 1);
            cache(context).put("a", "computed elsewhere");
            held.release();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("computed elsewhere");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"find", "findLater", "findMono", "findFlux"})
    void aMissIsCachedUnderTheLockAndNotAfterIt(String method) {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            context.getBean(Acquisitions.class).released = () -> cache(context).evict("a");
            assertThat(call(context, method)).isEqualTo("computed 1");
            assertThat(cache(context).puts).containsExactly("a");
            assertThat(cache(context).get("a")).isNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"find", "findLater", "findMono", "findFlux"})
    void aHitOfTheCacheTakesNoLock(String method) {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            assertThat(call(context, method)).isEqualTo("computed 1");
            assertThat(call(context, method)).isEqualTo("computed 1");
            assertThat(acquisitions(context)).containsExactly("a");
        });
    }

    @Test
    void aCallWithoutTheLockIsNotCached() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            Cached cached = context.getBean(Cached.class);
            try (LockHandle elsewhere = lockElsewhere(context, "a")) {
                assertThat(cached.findOrFallBack("a")).isEqualTo("fallback");
                assertThat(cache(context).puts).isEmpty();
                assertThat(cached.findOrSkip("a")).isNull();
                assertThat(cache(context).puts).isEmpty();
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(cached.findOrSkip("a")).isEqualTo("computed 1");
            assertThat(cached.findOrFallBack("a")).isEqualTo("computed 1");
        });
    }

    @Test
    void aFluxThatIsCancelledIsCachedUnderTheLock() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            List<String> order = new CopyOnWriteArrayList<>();
            context.getBean(Acquisitions.class).released = () -> order.add("released after " + cache(context).puts);
            Sinks.Many<String> elements = Sinks.many().unicast().onBackpressureBuffer();
            elements.tryEmitNext("first");
            assertThat(context.getBean(Cached.class).stream("a", elements).blockFirst())
                    .isEqualTo("first");
            elements.tryEmitComplete();
            Awaitility.await().until(() -> !order.isEmpty());
            assertThat(order).containsExactly("released after [a]");
        });
    }

    @Test
    void aCallDuringTheStartProceedsWithoutTheCache() {
        runner.withUserConfiguration(Caches.class)
                .withBean(Cached.class)
                .withBean(CallsAtStart.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(CallsAtStart.class).value).isEqualTo("computed 1");
                    assertThat(context.getBean(Cached.class).find("a")).isEqualTo("computed 2");
                });
    }

    @Test
    void anEvictionRunsUnderTheLock() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            context.getBean(Cached.class).change("a");
            assertThat(cache(context).lockedEvictions).containsExactly("a");
        });
    }

    @Test
    void aPutIntoTheCacheRunsUnderTheLock() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            context.getBean(Cached.class).replace("a");
            assertThat(cache(context).lockedPuts).containsExactly("a");
            assertThat(cache(context).get("a", String.class)).isEqualTo("replaced");
        });
    }

    @Test
    void aCacheThatLocksItsEntriesIsReadUnderTheLock() {
        runner.withUserConfiguration(Caches.class).withBean(Cached.class).run(context -> {
            assertThat(context.getBean(Cached.class).findInSync("a")).isEqualTo("computed 1");
            assertThat(context.getBean(Cached.class).findInSync("a")).isEqualTo("computed 1");
            assertThat(acquisitions(context)).containsExactly("a", "a");
        });
    }

    /** The key of the value would contain the handle of the call that has cached it. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                CachedByHandle.class,
                CachedByHandleInSync.class,
                PutByHandle.class,
                EvictedByHandle.class,
                CachedLaterByHandle.class
            })
    void aCacheKeyThatWouldContainTheHandleIsRefused(Class<?> type) {
        runner.withUserConfiguration(Caches.class)
                .withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(
                                LockDeclarationException.class,
                                ex -> assertThat(ex.kind()).isEqualTo(LockDeclarationException.Kind.CACHE_KEY))
                        .hasMessageContaining(type.getSimpleName())
                        .hasMessageContaining("'values'")
                        .hasMessageContaining("key = \"#id\""));
    }

    @Test
    void aCacheKeyWithoutTheHandleIsFound() {
        runner.withUserConfiguration(Caches.class).withBean(CachedByKey.class).run(context -> {
            CachedByKey cached = context.getBean(CachedByKey.class);
            assertThat(cached.find("a", null)).isEqualTo("computed 1");
            assertThat(cached.find("a", null)).isEqualTo("computed 1");
            assertThat(acquisitions(context)).containsExactly("a");
            cached.clear("a", null);
            assertThat(cached.find("a", null)).isEqualTo("computed 2");
        });
    }

    @Test
    void aKeyGeneratorOfTheApplicationMayLeaveTheHandleOut() {
        assertIsComputedOnce(Caches.class, FirstArgument.class);
    }

    /** It computes the key from the arguments of the caller. */
    @Test
    void aCacheOutsideOfTheLockDoesNotSeeTheHandle() {
        assertIsComputedOnce(OuterCaches.class);
    }

    private void assertIsComputedOnce(Class<?>... configurations) {
        runner.withUserConfiguration(configurations)
                .withBean(CachedByHandle.class)
                .run(context -> {
                    CachedByHandle cached = context.getBean(CachedByHandle.class);
                    assertThat(cached.find("a", null)).isEqualTo("computed 1");
                    assertThat(cached.find("a", null)).isEqualTo("computed 1");
                    assertThat(acquisitions(context)).containsExactly("a");
                });
    }

    @Test
    void invalidArgumentsTakeNoLock() {
        runner.withUserConfiguration(Validation.class).withBean(Valid.class).run(context -> {
            assertThatExceptionOfType(ConstraintViolationException.class)
                    .isThrownBy(() -> context.getBean(Valid.class).run(" "));
            assertThat(acquisitions(context)).isEmpty();
            assertThat(context.getBean(Valid.class).run("a")).isEqualTo("a");
            assertThat(acquisitions(context)).containsExactly("a");
        });
    }

    @Test
    void anInvalidResultRollsTheTransactionBack() {
        runner.withUserConfiguration(Validation.class, Transactions.class)
                .withBean(Valid.class)
                .run(context -> {
                    assertThatExceptionOfType(ConstraintViolationException.class)
                            .isThrownBy(() -> context.getBean(Valid.class).invalidResult("a"));
                    assertThat(context.getBean(FakeTransactions.class).outcomes())
                            .containsExactly("rolled back");
                });
    }

    @Test
    void aCallThatIsDeniedTakesNoLock() {
        runner.withUserConfiguration(Security.class).withBean(Secured.class).run(context -> {
            SecurityContextHolder.getContext()
                    .setAuthentication(new TestingAuthenticationToken("alice", "", "ROLE_USER"));
            try {
                assertThatExceptionOfType(AccessDeniedException.class)
                        .isThrownBy(() -> context.getBean(Secured.class).admin());
                assertThat(acquisitions(context)).isEmpty();
                context.getBean(Secured.class).user();
                assertThat(acquisitions(context)).containsExactly("a");
            } finally {
                SecurityContextHolder.clearContext();
            }
        });
    }

    @Test
    void aScheduledMethodRunsUnderItsLock() {
        runner.withUserConfiguration(Scheduling.class).withBean(Job.class).run(context -> {
            Job job = context.getBean(Job.class);
            Awaitility.await().until(() -> !job.locks().isEmpty());
            assertThat(job.locks().get(0)).isEqualTo("job");
        });
    }

    @Test
    void theTransactionOfTheMethodIsInsideOfTheLock() {
        runner.withUserConfiguration(Transactions.class).withBean(Events.class).run(context -> {
            List<String> order = new ArrayList<>();
            context.getBean(Acquisitions.class).released =
                    () -> order.addAll(context.getBean(FakeTransactions.class).outcomes());
            context.getBean(Events.class).publish("a");
            assertThat(order).containsExactly("committed");
        });
    }

    @Test
    void listenersOfTheEndOfTheMethodsTransactionRunUnderTheLock() {
        runner.withUserConfiguration(Transactions.class).withBean(Events.class).run(context -> {
            context.getBean(Events.class).publish("a");
            assertThat(heldAtTheEnd(context)).containsExactly(true, true);
        });
    }

    @Test
    void listenersOfTheEndOfTheCallersTransactionRunUnderTheLock() {
        runner.withUserConfiguration(Transactions.class).withBean(Events.class).run(context -> {
            new TransactionTemplate(context.getBean(FakeTransactions.class))
                    .executeWithoutResult(
                            status -> context.getBean(Events.class).publish("a"));
            assertThat(heldAtTheEnd(context)).containsExactly(true, true);
            assertThat(isFree(context, "a")).isTrue();
        });
    }

    @Test
    void listenersOfARollbackRunUnderTheLock() {
        runner.withUserConfiguration(Transactions.class).withBean(Events.class).run(context -> {
            new TransactionTemplate(context.getBean(FakeTransactions.class)).executeWithoutResult(status -> {
                context.getBean(Events.class).publish("a");
                status.setRollbackOnly();
            });
            assertThat(heldAtTheEnd(context)).containsExactly(true);
            assertThat(isFree(context, "a")).isTrue();
        });
    }

    @Test
    void beansWithoutLocksKeepTheirAdvice() {
        runner.withUserConfiguration(Caches.class)
                .withBean(Unlocked.class)
                .run(context -> assertThat(((Advised) context.getBean(Unlocked.class)).getAdvisors())
                        .hasSize(1));
    }

    private static List<String> acquisitions(ApplicationContext context) {
        return context.getBean(Acquisitions.class).keys;
    }

    private static RecordingCache cache(ApplicationContext context) {
        return (RecordingCache) context.getBean(CacheManager.class).getCache("values");
    }

    private static @Nullable String call(ApplicationContext context, String method) {
        Cached cached = context.getBean(Cached.class);
        return switch (method) {
            case "find" -> cached.find("a");
            case "findLater" -> cached.findLater("a").join();
            case "findMono" -> cached.findMono("a").block();
            default -> cached.findFlux("a").blockLast();
        };
    }

    private static LockHandle lockElsewhere(ApplicationContext context, String key) {
        return CompletableFuture.supplyAsync(() -> context.getBean(Locker.class).lock(key))
                .join();
    }

    private static List<Boolean> heldAtTheEnd(ApplicationContext context) {
        return context.getBean(Events.class).held();
    }

    private static boolean isFree(ApplicationContext context, String key) {
        return CompletableFuture.supplyAsync(
                        () -> context.getBean(Locker.class).tryLock(key).isPresent())
                .join();
    }

    private static List<Long> tokensOf(ApplicationContext context, Consumer<Retried> call) {
        Retried retried = context.getBean(Retried.class);
        call.accept(retried);
        return retried.tokens();
    }

    /** The acquisitions that began. */
    static class Acquisitions implements LockListener {

        private final List<String> keys = new CopyOnWriteArrayList<>();

        private Runnable released = () -> {};

        @Override
        public void acquireStarted(LockAttempt attempt) {
            keys.add(attempt.key());
        }

        @Override
        public void released(LockHandle handle, Duration held) {
            released.run();
        }
    }

    public static class Retried {

        private final List<Long> tokens = new ArrayList<>();

        public List<Long> tokens() {
            return tokens;
        }

        @DistributedLock("'a'")
        @Retryable(maxRetries = 1, delay = 1)
        public void byFramework() {
            run();
        }

        @DistributedLock("'a'")
        @org.springframework.retry.annotation.Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))
        public void bySpringRetry() {
            run();
        }

        @DistributedLock("'a'")
        @Retry(name = "x")
        public void byResilience4j() {
            run();
        }

        private void run() {
            tokens.add(LockContext.find("default", "a").orElseThrow().fencingToken());
            if (tokens.size() == 1) {
                throw new IllegalStateException("the first attempt fails");
            }
        }
    }

    public static class Broken {

        @DistributedLock("'a'")
        @CircuitBreaker(name = "x")
        public void run() {}
    }

    public static class Cached {

        private int computed;

        @DistributedLock("#key")
        @Cacheable("values")
        public String find(String key) {
            computed++;
            return "computed " + computed;
        }

        @DistributedLock("#key")
        @Cacheable("values")
        public CompletableFuture<String> findLater(String key) {
            return CompletableFuture.supplyAsync(() -> find(key));
        }

        @DistributedLock("#key")
        @Cacheable("values")
        public Mono<String> findMono(String key) {
            return Mono.fromSupplier(() -> find(key));
        }

        @DistributedLock("#key")
        @Cacheable("values")
        public Flux<String> findFlux(String key) {
            return Flux.defer(() -> Flux.just(find(key)));
        }

        @DistributedLock("#key")
        @Cacheable(value = "values", key = "#key")
        public Flux<String> stream(String key, Sinks.Many<String> elements) {
            return elements.asFlux();
        }

        @DistributedLock(value = "#key", waitTime = "0s", onFailure = OnFailure.SKIP)
        @Cacheable(value = "values", unless = "#result.length() > 99")
        public @Nullable String findOrSkip(String key) {
            return find(key);
        }

        @DistributedLock(value = "#key", waitTime = "0s", fallbackMethod = "fallback")
        @Cacheable(value = "values", cacheManager = "cacheManager")
        public String findOrFallBack(String key) {
            return find(key);
        }

        public String fallback(String key) {
            return "fallback";
        }

        @DistributedLock("#key")
        @Cacheable(value = "values", sync = true)
        public String findInSync(String key) {
            return find(key);
        }

        @DistributedLock("#key")
        @CachePut("values")
        public String replace(String key) {
            return "replaced";
        }

        @DistributedLock("#key")
        @CacheEvict("values")
        public void change(String key) {}
    }

    public static class CachedByHandle {

        private int computed;

        @DistributedLock("#id")
        @Cacheable("values")
        public String find(String id, @Nullable LockHandle handle) {
            computed++;
            return "computed " + computed;
        }
    }

    public static class CachedByHandleInSync {

        @DistributedLock("#id")
        @Cacheable(value = "values", sync = true)
        public String find(String id, @Nullable LockHandle handle) {
            return id;
        }
    }

    public static class CachedLaterByHandle {

        @DistributedLock("#id")
        @Cacheable("values")
        public Mono<String> find(String id, @Nullable LockHandle handle) {
            return Mono.just(id);
        }
    }

    public static class PutByHandle {

        @DistributedLock("#id")
        @CachePut("values")
        public String replace(String id, @Nullable LockHandle handle) {
            return id;
        }
    }

    public static class EvictedByHandle {

        @DistributedLock("#id")
        @CacheEvict("values")
        public void change(String id, @Nullable LockHandle handle) {}
    }

    public static class CachedByKey {

        private int computed;

        @DistributedLock("#id")
        @Cacheable(value = "values", key = "#id")
        public String find(String id, @Nullable LockHandle handle) {
            computed++;
            return "computed " + computed;
        }

        @DistributedLock("#id")
        @CacheEvict(value = "values", allEntries = true)
        public void clear(String id, @Nullable LockHandle handle) {}
    }

    static class CallsAtStart {

        private final String value;

        CallsAtStart(Cached cached) {
            value = cached.find("a");
        }
    }

    @Validated
    public static class Valid {

        @DistributedLock("#key")
        public String run(@NotBlank String key) {
            return key;
        }

        @DistributedLock("#key")
        @Transactional
        public @NotNull @Nullable String invalidResult(String key) {
            return null;
        }
    }

    public static class Secured {

        @DistributedLock("'a'")
        @PreAuthorize("hasRole('ADMIN')")
        public void admin() {}

        @DistributedLock("'a'")
        @PreAuthorize("hasRole('USER')")
        public void user() {}
    }

    public static class Job {

        private final List<String> locks = new CopyOnWriteArrayList<>();

        public List<String> locks() {
            return locks;
        }

        @Scheduled(fixedDelay = 3_600_000)
        @DistributedLock("'job'")
        public void run() {
            LockContext.all().forEach(handle -> locks.add(handle.key()));
        }
    }

    public static class Events {

        private final ApplicationEventPublisher publisher;

        private final Locker locker;

        private final List<Boolean> held = new ArrayList<>();

        Events(ApplicationEventPublisher publisher, Locker locker) {
            this.publisher = publisher;
            this.locker = locker;
        }

        public List<Boolean> held() {
            return held;
        }

        @DistributedLock("#key")
        @Transactional
        public void publish(String key) {
            publisher.publishEvent(key);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        public void afterCommit(String key) {
            held.add(!isFreeForOthers(key));
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        public void afterCompletion(String key) {
            held.add(!isFreeForOthers(key));
        }

        private boolean isFreeForOthers(String key) {
            return CompletableFuture.supplyAsync(() -> {
                        var taken = locker.tryLock(key);
                        taken.ifPresent(LockHandle::release);
                        return taken.isPresent();
                    })
                    .join();
        }
    }

    public static class Unlocked {

        @Cacheable("values")
        public String find(String key) {
            return key;
        }
    }

    /** A cache that records whether it was changed under a lock. */
    static final class RecordingCache extends ConcurrentMapCache {

        private final List<String> lockedEvictions = new ArrayList<>();

        private final List<String> lockedPuts = new ArrayList<>();

        private final List<Object> puts = new CopyOnWriteArrayList<>();

        RecordingCache() {
            super("values");
        }

        @Override
        public void put(Object key, @Nullable Object value) {
            puts.add(key);
            LockContext.all().forEach(handle -> lockedPuts.add(handle.key()));
            super.put(key, value);
        }

        @Override
        public void evict(Object key) {
            LockContext.all().forEach(handle -> lockedEvictions.add(handle.key()));
            super.evict(key);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class FrameworkRetries {}

    @Configuration(proxyBeanMethods = false)
    @EnableRetry
    static class SpringRetries {}

    @Configuration(proxyBeanMethods = false)
    static class Resilience {

        @Bean
        SpelResolver spelResolver(BeanFactory beans) {
            return new DefaultSpelResolver(new SpelExpressionParser(), new DefaultParameterNameDiscoverer(), beans);
        }

        @Bean
        FallbackExecutor fallbackExecutor(SpelResolver resolver) {
            return new FallbackExecutor(resolver, new FallbackDecorators(List.of()));
        }

        @Bean
        RetryAspect retryAspect(FallbackExecutor fallback, SpelResolver resolver) {
            return new RetryAspect(
                    new RetryConfigurationProperties(),
                    RetryRegistry.ofDefaults(),
                    List.of(),
                    fallback,
                    resolver,
                    null);
        }

        @Bean
        CircuitBreakerRegistry circuitBreakers() {
            return CircuitBreakerRegistry.ofDefaults();
        }

        @Bean
        CircuitBreakerAspect circuitBreakerAspect(
                CircuitBreakerRegistry breakers, FallbackExecutor fallback, SpelResolver resolver) {
            return new CircuitBreakerAspect(
                    new CircuitBreakerConfigurationProperties(), breakers, List.of(), fallback, resolver);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caches {

        @Bean
        CacheManager cacheManager() {
            SimpleCacheManager manager = new SimpleCacheManager();
            manager.setCaches(List.of(new RecordingCache()));
            return manager;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(order = 0)
    static class OuterCaches {

        @Bean
        CacheManager cacheManager() {
            return new Caches().cacheManager();
        }
    }

    static class FirstArgument implements CachingConfigurer {

        @Override
        public KeyGenerator keyGenerator() {
            return (target, method, arguments) -> arguments[0];
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Validation {

        @Bean
        static LocalValidatorFactoryBean validator() {
            return new LocalValidatorFactoryBean();
        }

        @Bean
        static MethodValidationPostProcessor methodValidation() {
            MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
            processor.setProxyTargetClass(true);
            return processor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {

        @Bean
        FakeTransactions transactionManager() {
            return new FakeTransactions();
        }
    }
}
