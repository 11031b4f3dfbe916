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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Circuit breakers for lockers, if Resilience4j is on the class path; in the application's registry if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(CircuitBreakerRegistry.class)
class CircuitBreakerConfiguration {

    @Bean
    CircuitBreakers leaseholdCircuitBreakers(ObjectProvider<CircuitBreakerRegistry> registries, BeanFactory beans) {
        return new CircuitBreakers(
                registries.getIfUnique(CircuitBreakerRegistry::ofDefaults),
                new ConcurrentHashMap<>(),
                BeanLockerRegistry.inParent(beans, CircuitBreakerProbe.class));
    }

    /** One thread for each circuit breaker, which ends when it is idle. The order of the ends is theirs. */
    private static Executor counting() {
        return new ThreadPoolExecutor(
                0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("lock-breaker"));
    }

    /**
     * The circuit breakers of lockers. In the registry, each has the name {@code lock-} followed by the locker's name.
     *
     * @param registry the registry, through which Resilience4j monitors them like those of the application
     * @param guarded the circuit breakers of the lockers that were created so far, by the locker's name
     * @param parent those of the lockers of a parent context, {@code null} if there is none
     */
    record CircuitBreakers(
            CircuitBreakerRegistry registry,
            Map<String, Guarded> guarded,
            @Nullable CircuitBreakerProbe parent) implements LockerGuard, CircuitBreakerProbe {

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
            Duration openFor = openFor(choice.settings());
            CircuitBreaker breaker = registry.circuitBreaker("lock-" + name, config);
            CircuitBreakerLog log = CircuitBreakerLog.of(name, breaker, openFor, StoreClock.wall());
            guarded.put(name, new Guarded(breaker, log));
            return new CircuitBreakerLockBackend(store, breaker, log, counting());
        }

        @Override
        public void forget(String locker) {
            if (guarded.remove(locker) != null) {
                registry.remove("lock-" + locker);
            }
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

        record Guarded(CircuitBreaker breaker, CircuitBreakerLog log) {}
    }
}
