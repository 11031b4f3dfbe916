package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
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
        run(
                Map.of(property, built),
                Map.of(property, started),
                context -> assertThatExceptionOfType(LockConfigurationException.class)
                        .isThrownBy(context::refresh)
                        .withMessageContaining(
                                "'" + property + "' must have the value that it had when the application was"
                                        + " processed ahead of time, '" + built
                                        + "', because that decided which methods lock: '"
                                        + started + "'"));
    }

    @SuppressWarnings("unchecked")
    private static void run(
            Map<String, String> built, Map<String, String> started, Consumer<GenericApplicationContext> story) {
        TestGenerationContext generation = new TestGenerationContext();
        ClassName initializer = process(generation, built);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
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
        LockAspectAutoConfiguration.class
    })
    static class Application {}
}
