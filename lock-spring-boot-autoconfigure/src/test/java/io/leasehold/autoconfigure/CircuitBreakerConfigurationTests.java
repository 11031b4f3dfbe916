package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.actuate.CircuitBreakerProbe.CircuitBreakerState;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A real Redis goes away and comes back. */
@ExtendWith(OutputCaptureExtension.class)
class CircuitBreakerConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withBean(CircuitBreakerRegistry.class, CircuitBreakerRegistry::ofDefaults)
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=60s");

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whileTheStoreIsDownAcquisitionsFailAtOnceAndHeldLocksLive() {
        try (RedisServer redis = RedisServer.startDurable()) {
            runner.withPropertyValues(
                            "lock.backend=redis",
                            "lock.redis.host=" + redis.host(),
                            "lock.redis.port=" + redis.port(),
                            "lock.lockers.deploy.command-timeout=2s",
                            "lock.lockers.deploy.wait-time=1h",
                            "lock.circuit-breaker.enabled=true",
                            "lock.circuit-breaker.failure-rate-threshold=100",
                            "lock.circuit-breaker.sliding-window-size=2",
                            "lock.circuit-breaker.minimum-number-of-calls=2",
                            "lock.circuit-breaker.wait-duration-in-open-state=5s")
                    .run(context -> {
                        Locker deploy = deploy(context);
                        LockHandle held = whenItAnswers(deploy, "held");
                        redis.stop();

                        assertThatThrownBy(() -> deploy.lock("other"))
                                .isInstanceOf(LockBackendException.class)
                                .hasMessageContaining("the circuit breaker of locker 'deploy' is open")
                                .hasMessageContaining("it is tried again at 20");
                        assertThat(state(context)).isEqualTo(State.OPEN);

                        redis.restart();
                        await().atMost(Duration.ofSeconds(30))
                                .ignoreExceptionsInstanceOf(LockBackendException.class)
                                .until(() ->
                                        deploy.tryLock("other", Duration.ZERO).isPresent());
                        assertThat(held.isHeld()).isTrue();
                        held.renew();
                        assertThat(held.release()).isTrue();
                    });
        }
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void theEndpointTellsWhyItIsOpenAndUntilWhen() {
        runner.withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=locks",
                        "lock.backend=redis",
                        "lock.redis.host=localhost",
                        "lock.redis.port=" + FreePort.find(),
                        "lock.lockers.audit.circuit-breaker.enabled=false",
                        "lock.circuit-breaker.enabled=true",
                        "lock.circuit-breaker.minimum-number-of-calls=2",
                        "lock.circuit-breaker.wait-duration-in-open-state=1h")
                .run(context -> {
                    context.getBean("auditLocker", Locker.class);
                    Locker deploy = deploy(context);
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    assertThat(breaker(endpoint, "deploy")).isEqualTo(new CircuitBreakerState("CLOSED", null, null));

                    await().atMost(Duration.ofSeconds(40))
                            .ignoreExceptionsInstanceOf(LockBackendException.class)
                            .until(() -> state(context) == State.OPEN
                                    || deploy.tryLock("a", Duration.ZERO).isPresent());
                    CircuitBreakerState open = breaker(endpoint, "deploy");
                    assertThat(open.state()).isEqualTo("OPEN");
                    assertThat(open.lastFailure()).isNotBlank();
                    assertThat(open.nextTry()).isAfter(Instant.now().plusSeconds(3000));
                    assertThat(breaker(endpoint, "audit")).isNull();
                });
    }

    @Test
    void thereIsNoneUnlessOneIsWanted() {
        runner.run(context -> {
            deploy(context).lock("a").close();
            assertThat(context.getBean(CircuitBreakerRegistry.class).getAllCircuitBreakers())
                    .isEmpty();
        });
    }

    @Test
    void aLockerCanHaveOtherSettingsThanTheOthers() {
        runner.withPropertyValues(
                        "lock.circuit-breaker.enabled=true",
                        "lock.circuit-breaker.sliding-window-size=30",
                        "lock.circuit-breaker.failure-rate-threshold=70",
                        "lock.lockers.deploy.circuit-breaker.failure-rate-threshold=90",
                        "lock.lockers.billing.circuit-breaker.enabled=false")
                .run(context -> {
                    CircuitBreakerRegistry registry = context.getBean(CircuitBreakerRegistry.class);
                    assertThat(registry.getAllCircuitBreakers()).singleElement().satisfies(breaker -> {
                        assertThat(breaker.getName()).isEqualTo("lock-deploy");
                        assertThat(breaker.getCircuitBreakerConfig().getFailureRateThreshold())
                                .isEqualTo(90);
                        assertThat(breaker.getCircuitBreakerConfig().getSlidingWindowSize())
                                .isEqualTo(30);
                    });
                });
    }

    /** As {@code resilience4j.circuitbreaker.instances.lock-deploy} creates it. */
    @Test
    void aCircuitBreakerOfTheApplicationKeepsItsSettings(CapturedOutput output) {
        CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
        CircuitBreaker own = registry.circuitBreaker(
                "lock-deploy",
                CircuitBreakerConfig.custom()
                        .waitDurationInOpenState(Duration.ofHours(1))
                        .build());
        runner.withBean("shared", CircuitBreakerRegistry.class, () -> registry, bean -> bean.setPrimary(true))
                .withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=locks",
                        "lock.circuit-breaker.enabled=true",
                        "lock.circuit-breaker.wait-duration-in-open-state=5s")
                .run(context -> {
                    own.transitionToOpenState();
                    assertThat(breaker(context.getBean(LocksEndpoint.class), "deploy")
                                    .nextTry())
                            .isAfter(Instant.now().plusSeconds(3000));
                });
        assertThat(registry.find("lock-deploy")).contains(own);
        assertThat(registry.find("lock-default")).isEmpty();
        assertThat(output)
                .containsOnlyOnce("Locker 'deploy' uses the circuit breaker 'lock-deploy' of the application with its"
                        + " settings, so those of 'lock.circuit-breaker' have no effect");
    }

    /** As of tenants, each with a store of its own. */
    @Test
    void contextsThatShareARegistryHaveCircuitBreakersOfTheirOwn() {
        CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
        ApplicationContextRunner tenant = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues(
                        "lock.backend=memory", "lock.lockers.deploy.ttl=60s", "lock.circuit-breaker.enabled=true");
        new ApplicationContextRunner()
                .withBean(CircuitBreakerRegistry.class, () -> registry)
                .run(above -> {
                    tenant.withParent(above).run(first -> {
                        registry.circuitBreaker("lock-deploy").transitionToOpenState();
                        tenant.withParent(above)
                                .run(second -> deploy(second).lock("a").close());
                        assertThatThrownBy(() -> deploy(first).lock("a"))
                                .hasMessageContaining("the circuit breaker of locker 'deploy' is open");
                        assertThat(registry.find("lock-deploy")).isPresent();
                    });
                    assertThat(registry.getAllCircuitBreakers()).isEmpty();
                });
    }

    @Test
    void aValueOutOfRangeIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(
                "lock.circuit-breaker.enabled=true", "lock.circuit-breaker.failure-rate-threshold=101"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.circuit-breaker.failure-rate-threshold' must be")
                .contains("It is set in");
    }

    @Test
    void aValueOutOfRangeIsReportedWithThePropertyOfItsLocker() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(
                "lock.circuit-breaker.enabled=true", "lock.lockers.deploy.circuit-breaker.sliding-window-size=0"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.lockers.deploy.circuit-breaker.sliding-window-size' must be")
                .contains("It is set in");
    }

    @Test
    void aValueOutOfRangeIsReportedWithTheCommonPropertyIfTheLockerSetsAnother() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(
                "lock.lockers.deploy.circuit-breaker.enabled=true", "lock.circuit-breaker.sliding-window-size=0"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.circuit-breaker.sliding-window-size' must be")
                .contains("It is set in");
    }

    @Test
    void withoutResilience4jTheLockerThatNeedsItIsNamed() {
        FailureAnalysis analysis = StartFailures.of(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.circuit-breaker.enabled=true"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.lockers.deploy.circuit-breaker.enabled' needs Resilience4j.")
                .contains("It is set in");
    }

    @Test
    void withoutResilience4jTheNextStepIsToAddIt() {
        FailureAnalysis analysis = StartFailures.of(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
                .withPropertyValues(
                        "lock.backend=memory", "lock.lockers.deploy.ttl=60s", "lock.circuit-breaker.enabled=true"));

        assertThat(analysis.getDescription()).startsWith("'lock.circuit-breaker.enabled' needs Resilience4j.");
        assertThat(analysis.getAction()).contains("io.github.resilience4j:resilience4j-circuitbreaker");
    }

    private static LockHandle whenItAnswers(Locker locker, String key) {
        return await().atMost(Duration.ofSeconds(40))
                .ignoreExceptionsInstanceOf(LockBackendException.class)
                .until(() -> locker.tryLock(key, Duration.ZERO), Optional::isPresent)
                .orElseThrow();
    }

    private static CircuitBreakerState breaker(LocksEndpoint endpoint, String locker) {
        return endpoint.locks().lockers().get(locker).circuitBreaker();
    }

    private static Locker deploy(BeanFactory context) {
        return context.getBean("deployLocker", Locker.class);
    }

    private static State state(BeanFactory context) {
        return context.getBean(CircuitBreakerRegistry.class)
                .circuitBreaker("lock-deploy")
                .getState();
    }
}
