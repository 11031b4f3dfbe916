package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.adapter.LockCacheAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockIntegrationAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockShedLockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.aot.AotDetector;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Switches and lockers of an application that is processed ahead of time with one value and started with another. */
class AheadOfTimeSwitchTests {

    @Test
    @CompileWithForkedClassLoader
    void locksThatWereOffAndAreOnFailTheStart() {
        isRefused("lock.enabled", "false", "true");
    }

    @Test
    @CompileWithForkedClassLoader
    void locksThatWereOnAndAreOffFailTheStart() {
        isRefused("lock.enabled", "true", "false");
    }

    @Test
    @CompileWithForkedClassLoader
    void anAspectThatWasOffAndIsOnFailsTheStart() {
        isRefused("lock.aspect.enabled", "false", "true");
    }

    @Test
    @CompileWithForkedClassLoader
    void anAspectThatWasOnAndIsOffFailsTheStart() {
        isRefused("lock.aspect.enabled", "true", "false");
    }

    @Test
    @CompileWithForkedClassLoader
    void anotherAspectModeFailsTheStart() {
        isRefused(
                Map.of(),
                Map.of("lock.aspect.mode", "aspectj"),
                "'lock.aspect.mode' must have the value that it had when the application was processed ahead of time,"
                        + " 'proxy'");
    }

    @Test
    @CompileWithForkedClassLoader
    void aCacheThatWasNotLockedFailsTheStart() {
        anAdapterIsRefused("lock.cache.locker");
    }

    @Test
    @CompileWithForkedClassLoader
    void aLockRegistryThatDidNotExistFailsTheStart() {
        anAdapterIsRefused("lock.integration.locker");
    }

    @Test
    @CompileWithForkedClassLoader
    void aLockProviderThatDidNotExistFailsTheStart() {
        anAdapterIsRefused("lock.shedlock.locker");
    }

    private static void anAdapterIsRefused(String property) {
        isRefused(
                Map.of(),
                Map.of(property, "default"),
                "'" + property + "' must also be set when the application is processed ahead of time");
    }

    @Test
    @CompileWithForkedClassLoader
    void anExecutorThatIsNotThereFailsTheStart() {
        isRefused(
                Map.of(),
                Map.of("lock.aspect.executor", "absent"),
                "'lock.aspect.executor' must be the name of a bean of type Executor");
    }

    @Test
    @CompileWithForkedClassLoader
    void aSwitchThatHasNotChangedHasItsEffect() {
        Map<String, String> disabled = Map.of("lock.enabled", "false");
        run(disabled, disabled, context -> {
            context.refresh();
            assertThat(context.getBean(LockerRegistry.class).names()).containsExactly("default");
        });
    }

    @Test
    @CompileWithForkedClassLoader
    void aLockerThatWasNotConfiguredAndIsFailsTheStart() {
        aNewLockerIsRefused("true");
    }

    @Test
    @CompileWithForkedClassLoader
    void aLockerThatWasNotConfiguredAndIsFailsTheStartWithoutLocks() {
        aNewLockerIsRefused("false");
    }

    private static void aNewLockerIsRefused(String enabled) {
        run(
                Map.of("lock.enabled", enabled),
                Map.of("lock.enabled", enabled, "lock.lockers.billing.ttl", "30s"),
                context -> assertThatExceptionOfType(LockConfigurationException.class)
                        .isThrownBy(context::refresh)
                        .withMessageContainingAll(
                                "'lock.lockers.billing'", "when the application was processed ahead of time"));
    }

    private static void isRefused(String property, String built, String started) {
        isRefused(
                Map.of(property, built),
                Map.of(property, started),
                "'" + property + "' must have the value that it had when the application was processed ahead of time, '"
                        + built + "', because that decided which methods lock: '" + started + "'");
    }

    private static void isRefused(Map<String, String> built, Map<String, String> started, String message) {
        run(
                built,
                started,
                context -> assertThatException()
                        .isThrownBy(context::refresh)
                        .extracting(NestedExceptionUtils::getMostSpecificCause)
                        .asInstanceOf(InstanceOfAssertFactories.type(LockConfigurationException.class))
                        .satisfies(refused -> assertThat(refused).hasMessageContaining(message)));
    }

    @SuppressWarnings("unchecked")
    private static void run(
            Map<String, String> built, Map<String, String> started, Consumer<GenericApplicationContext> story) {
        TestGenerationContext generation = new TestGenerationContext();
        ClassName initializer = process(generation, built);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            // as at the start of such an application; the class loader of the test has a flag of its own
            SpringProperties.setFlag(AotDetector.AOT_ENABLED);
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                set(context.getEnvironment(), started);
                compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName())
                        .initialize(context);
                story.accept(context);
            }
        });
    }

    private static ClassName process(TestGenerationContext generation, Map<String, String> properties) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            set(context.getEnvironment(), properties);
            context.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return initializer;
        }
    }

    private static void set(ConfigurableEnvironment environment, Map<String, String> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("lock.backend", "memory");
        all.put("lock.disabled-mode", "run-unlocked");
        environment.getPropertySources().addFirst(new MapPropertySource("test", all));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LockAutoConfiguration.class,
        LockDisabledAutoConfiguration.class,
        LockAspectAutoConfiguration.class,
        LockCacheAutoConfiguration.class,
        LockIntegrationAutoConfiguration.class,
        LockShedLockAutoConfiguration.class
    })
    static class Application {}
}
