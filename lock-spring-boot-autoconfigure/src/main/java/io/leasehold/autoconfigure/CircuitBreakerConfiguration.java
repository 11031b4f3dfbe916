package io.leasehold.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.leasehold.actuate.CircuitBreakerProbe;
import io.leasehold.actuate.CircuitBreakerProbe.CircuitBreakerState;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.locker.BeanLockerRegistry;
import io.leasehold.autoconfigure.locker.LockerConfiguration;
import io.leasehold.autoconfigure.locker.LockerConfiguration.BreakerChoice;
import io.leasehold.autoconfigure.locker.LockerFactory.LockerGuard;
import io.leasehold.autoconfigure.property.CircuitBreakerProperties;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.resilience.CircuitBreakerLockBackend;
import io.leasehold.resilience.CircuitBreakerLog;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Circuit breakers for lockers, if Resilience4j is on the class path; in the application's registry if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(CircuitBreakerRegistry.class)
class CircuitBreakerConfiguration {

    private static final Logger log = LoggerFactory.getLogger(CircuitBreakerConfiguration.class);

    @Bean
    CircuitBreakers leaseholdCircuitBreakers(
            ObjectProvider<CircuitBreakerRegistry> registries, ListableBeanFactory beans) {
        return new CircuitBreakers(
                registries.getIfUnique(CircuitBreakerRegistry::ofDefaults),
                beans.getBeanNamesForType(CircuitBreakerRegistry.class, true, false).length > 0,
                new ConcurrentHashMap<>(),
                BeanLockerRegistry.inParent(beans, CircuitBreakerProbe.class));
    }

    /**
     * One thread for each circuit breaker, which ends when it is idle. The order of the ends is theirs. It is a core thread,
     * so that a task is refused, and not kept, if the thread cannot be started.
     */
    private static Executor counting() {
        ThreadPoolExecutor counting = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("lock-breaker"));
        counting.allowCoreThreadTimeOut(true);
        return counting;
    }

    /**
     * The circuit breakers of lockers. In the registry, each has the name {@code lock-} followed by the locker's name. One of
     * the application that has this name in a registry of this context is used as it is. One in the registry of a parent may
     * be that of another child, whose store may be another one; this context's is then not in the registry.
     *
     * @param registry the registry, through which Resilience4j monitors them like those of the application
     * @param ownRegistry whether the registry belongs to this context alone
     * @param guarded the circuit breakers of the lockers that were created so far, by the locker's name
     * @param parent those of the lockers of a parent context, {@code null} if there is none
     */
    record CircuitBreakers(
            CircuitBreakerRegistry registry,
            boolean ownRegistry,
            Map<String, Guarded> guarded,
            @Nullable CircuitBreakerProbe parent)
            implements LockerGuard, CircuitBreakerProbe, AutoCloseable {

        @Override
        public @Nullable CircuitBreakerState state(String locker) {
            Guarded known = guarded.get(locker);
            if (known == null) {
                return parent == null ? null : parent.state(locker);
            }
            return new CircuitBreakerState(
                    known.breaker().getState().name(),
                    known.log().lastFailure(),
                    known.log().nextTry());
        }

        @Override
        public LockBackend guard(LockerConfiguration locker, LockBackend store) {
            BreakerChoice choice = locker.circuitBreaker();
            String name = locker.settings().name();
            // the locker's own settings first, so that a refusal names the property that has the value
            config(choice.own().property(), choice.own().value());
            CircuitBreakerConfig config = config(choice.common().property(), choice.settings());
            CircuitBreaker registered = registry.circuitBreaker(nameFor(name), config);
            boolean isOwn = registered.getCircuitBreakerConfig() == config;
            CircuitBreaker breaker = isOwn ? registered : forTakenName(name, registered, config);
            CircuitBreakerLog log = CircuitBreakerLog.of(name, breaker, StoreClock.wall());
            guarded.put(name, new Guarded(breaker, isOwn, log));
            return new CircuitBreakerLockBackend(store, breaker, log, counting());
        }

        /** The circuit breaker of a locker whose name in the registry is taken. */
        private CircuitBreaker forTakenName(String locker, CircuitBreaker other, CircuitBreakerConfig config) {
            if (ownRegistry) {
                log.warn(
                        "Locker '{}' uses the circuit breaker '{}' of the application with its settings, so those of"
                                + " 'lock.circuit-breaker' have no effect on it",
                        locker,
                        other.getName());
                return other;
            }
            log.info(
                    "Locker '{}' has a circuit breaker that is not in the registry, since that of a parent context has"
                            + " another one with the name '{}'",
                    locker,
                    other.getName());
            return CircuitBreaker.of(other.getName(), config);
        }

        private static String nameFor(String locker) {
            return "lock-" + locker;
        }

        @Override
        public void forget(String locker) {
            Guarded forgotten = guarded.remove(locker);
            if (forgotten != null && forgotten.registered()) {
                registry.remove(nameFor(locker));
            }
        }

        /** The registry may be that of a parent context, which lives longer. */
        @Override
        public void close() {
            Set.copyOf(guarded.keySet()).forEach(this::forget);
        }

        private static Duration openFor(CircuitBreakerProperties wanted) {
            return Objects.requireNonNullElse(wanted.waitDurationInOpenState(), Duration.ofSeconds(5));
        }

        private static CircuitBreakerConfig config(String prefix, CircuitBreakerProperties wanted) {
            return LockConfigurationException.refusing(prefix, () -> config(wanted));
        }

        private static CircuitBreakerConfig config(CircuitBreakerProperties wanted) {
            return CircuitBreakerConfig.custom()
                    .slidingWindow(
                            Objects.requireNonNullElse(wanted.slidingWindowSize(), 20),
                            Objects.requireNonNullElse(wanted.minimumNumberOfCalls(), 5),
                            SlidingWindowType.COUNT_BASED)
                    .failureRateThreshold(Objects.requireNonNullElse(wanted.failureRateThreshold(), 50F))
                    .waitDurationInOpenState(openFor(wanted))
                    .permittedNumberOfCallsInHalfOpenState(
                            Objects.requireNonNullElse(wanted.permittedNumberOfCallsInHalfOpenState(), 2))
                    .build();
        }

        /** A circuit breaker, and whether its entry in the registry was made here. */
        record Guarded(CircuitBreaker breaker, boolean registered, CircuitBreakerLog log) {}
    }
}
