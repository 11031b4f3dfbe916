package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.locker.LockerConfigurations;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Names in the environment and in files that are no properties of locks. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aVariableThatSetsNothingIsIgnoredAndNamed(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withInitializer(context -> variables(context, Map.of("LOCK_LOCKERS_DEPLOY_FOO", "bar")))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .containsOnlyOnce("LOCK_LOCKERS_DEPLOY_FOO")
                            .contains("WARN");
                });
    }

    @Test
    void aVariableForALockerWithAHyphenSetsItsProperty(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.my-deploy.wait-time=5s")
                .withInitializer(context -> variables(
                        context,
                        Map.of("LOCK_LOCKERS_MY_DEPLOY_TTL", "20s", "LOCK_LOCKERS_MYDEPLOY_AUTO_RENEW", "true")))
                .run(context -> {
                    assertThat(ttl(context, "my-deploy")).isEqualTo(Duration.ofSeconds(20));
                    assertThat(output).doesNotContain("Ignored");
                });
    }

    @Test
    void aVariableCannotSpellALockerWithDots(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers[my.deploy].ttl=30s")
                .withInitializer(context -> variables(context, Map.of("LOCK_LOCKERS_MYDEPLOY_TTL", "20s")))
                .run(context -> {
                    assertThat(ttl(context, "my.deploy")).isEqualTo(Duration.ofSeconds(30));
                    assertThat(output).contains("Ignored").contains("LOCK_LOCKERS_MYDEPLOY_TTL");
                });
    }

    @ParameterizedTest
    @CsvSource({"MyDeploy", "my_deploy", "My-Deploy"})
    void aVariableForALockerWithCapitalsOrUnderscoresIsNotReportedAsIgnored(String locker, CapturedOutput output) {
        runner.withPropertyValues("lock.lockers." + locker + ".wait-time=5s")
                .withInitializer(context -> variables(context, Map.of("LOCK_LOCKERS_MYDEPLOY_TTL", "20s")))
                .run(context -> {
                    assertThat(ttl(context, locker)).isEqualTo(Duration.ofSeconds(20));
                    assertThat(output).doesNotContain("Ignored");
                });
    }

    private static Duration ttl(ApplicationContext context, String locker) {
        return context.getBean(LockerConfigurations.class)
                .get(locker)
                .settings()
                .ttl();
    }

    @Test
    void aVariableThatSetsNothingMakesNoLocker() {
        runner.withInitializer(context -> variables(
                        context,
                        Map.of(
                                "LOCK_LOCKERS_DEPLOY_FOO",
                                "bar",
                                "LOCK_LOCKERS_PORT",
                                "tcp://10.0.0.1:80",
                                "LOCK_LOCKERS_PORT_80_TCP_ADDR",
                                "10.0.0.1",
                                "LOCK_LOCKERS_SERVICE_HOST",
                                "10.0.0.1")))
                .run(context -> assertThat(context.getBean(LockerRegistry.class).names())
                        .containsExactly("default"));
    }

    @Test
    void aVariableThatSetsAPropertyMakesALocker() {
        runner.withInitializer(context -> variables(
                        context, Map.of("LOCK_LOCKERS_DEPLOY_WAITTIME", "5s", "LOCK_LOCKERS_BILLING_WAIT_TIME", "6s")))
                .run(context -> {
                    assertThat(context.getBean(LockerRegistry.class).names())
                            .containsExactly("billing", "default", "deploy");
                    assertThat(context.getBean(LockerConfigurations.class)
                                    .get("billing")
                                    .settings()
                                    .waitTime())
                            .isEqualTo(Duration.ofSeconds(6));
                });
    }

    /** Kubernetes tells each container of a service "lock-redis" in this way. */
    @Test
    void aServiceWithTheNameOfAPropertyIsNotTakenForIt(CapturedOutput output) {
        runner.withPropertyValues("lock.redis.host=redis.internal", "lock.redis.port=6380")
                .withInitializer(context -> variables(
                        context,
                        Map.of(
                                "LOCK_REDIS_PORT",
                                "tcp://10.0.0.1:6379",
                                "LOCK_REDIS_SERVICE_HOST",
                                "10.0.0.1",
                                "LOCK_REDIS_SERVICE_PORT",
                                "6379",
                                "LOCK_REDIS_PORT_6379_TCP",
                                "tcp://10.0.0.1:6379")))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean("lock.redis-io.leasehold.autoconfigure.redis.RedisLockProperties"))
                            .asString()
                            .contains("host=redis.internal, port=6380");
                    assertThat(output).contains("LOCK_REDIS_PORT");
                });
    }

    @Test
    void thePropertyThatReplacesAServiceMayBeAPlaceholder() {
        runner.withPropertyValues("lock.redis.host=redis.internal", "lock.redis.port=${redis.port}", "redis.port=6380")
                .withInitializer(context -> variables(context, Map.of("LOCK_REDIS_PORT", "tcp://10.0.0.1:6379")))
                .run(context -> assertThat(
                                context.getBean("lock.redis-io.leasehold.autoconfigure.redis.RedisLockProperties"))
                        .asString()
                        .contains("host=redis.internal, port=6380"));
    }

    @ParameterizedTest
    @CsvSource({
        "lock.default.ttl, lock.defaults.ttl",
        "lock.ttl, lock.defaults.ttl",
        "lock.wait-time, lock.defaults.wait-time",
        "lock.locker.deploy.ttl, lock.lockers.deploy.ttl",
        "lock.timeout, lock.defaults"
    })
    void aPropertyThatDoesNotExistStopsTheStart(String property, String meant) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(property + "=5s"));

        assertThat(analysis.getDescription()).startsWith("'" + property + "' is no property of locks");
        assertThat(analysis.getAction()).contains("'" + meant);
    }

    @Test
    void variablesAndSystemPropertiesOfOthersDoNot() {
        runner.withSystemProperties("lock.timeout=5")
                .withInitializer(context -> variables(context, Map.of("LOCK_TIMEOUT", "5", "LOCK_PORT", "tcp://a:1")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "lock.lockers.deploy.tll, lock.lockers.deploy.ttl",
        "lock.lockers.deploy.max-hold-tme, lock.lockers.deploy.max-hold-time",
        "lock.lockers.deploy.maxholdtimes, lock.lockers.deploy.max-hold-time"
    })
    void aPropertyOfALockerThatDoesNotExistStopsTheStart(String property, String meant) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(property + "=5s"));

        assertThat(analysis.getDescription())
                .startsWith("'" + property + "' is no property of a locker")
                .contains("It is set in ");
        assertThat(analysis.getAction()).startsWith("Did you mean '" + meant + "'?");
    }

    @Test
    void aPropertyOfALockersRedisThatDoesNotExistStopsTheStart() {
        assertThat(StartFailures.of(runner.withPropertyValues("lock.lockers.deploy.redis.hots=a"))
                        .getDescription())
                .startsWith("'lock.lockers.deploy.redis.hots' is no property of 'lock.lockers.deploy.redis'");
    }

    private static void variables(ConfigurableApplicationContext context, Map<String, Object> variables) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables));
    }
}
