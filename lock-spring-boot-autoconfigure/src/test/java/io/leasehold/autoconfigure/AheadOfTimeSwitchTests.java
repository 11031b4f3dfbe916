package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.leasehold.LockerRegistry;
import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.autoconfigure.adapter.LockCacheAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockIntegrationAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockShedLockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.HashMap;
import java.util.List;
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
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Switches and lockers of an application that is processed ahead of time with one value and started with another. */
class AheadOfTimeSwitchTests {

    private static final String NEW_LOCKER =
            "'lock.lockers.billing' names a locker that was not configured when the application was processed ahead of time";

    @Test
    @CompileWithForkedClassLoader
    void whatWasNotSetAndIsFailsTheStart() {
        Map<String, String> built = Map.of();
        run(built, started -> {
            started.with("lock.enabled", "false").isRefused(isDifferent("lock.enabled", "true", "false"));
            started.with("lock.aspect.enabled", "false").isRefused(isDifferent("lock.aspect.enabled", "true", "false"));
            started.with("lock.aspect.mode", "aspectj")
                    .isRefused("'lock.aspect.mode' must have the value that it had when the application was processed"
                            + " ahead of time, 'proxy'");
            started.with("lock.aspect.executor", "absent")
                    .isRefused("'lock.aspect.executor' must be the name of a bean of type Executor");
            for (String adapter : List.of("lock.cache.locker", "lock.integration.locker", "lock.shedlock.locker")) {
                started.with(adapter, "default")
                        .isRefused(
                                "'" + adapter + "' must also be set when the application is processed ahead of time");
            }
            started.with("lock.lockers.billing.ttl", "30s").isRefused(NEW_LOCKER);
        });
    }

    @Test
    @CompileWithForkedClassLoader
    void locksThatWereOff() {
        Map<String, String> built = Map.of("lock.enabled", "false");
        run(built, started -> {
            started.with("lock.enabled", "true").isRefused(isDifferent("lock.enabled", "false", "true"));
            started.with("lock.lockers.billing.ttl", "30s").isRefused(NEW_LOCKER);
            started.with("lock.enabled", "no")
                    .runs(context -> assertThat(
                                    context.getBean(LockerRegistry.class).names())
                            .containsExactly("default"));
        });
    }

    @Test
    @CompileWithForkedClassLoader
    void anAspectThatWasOffAndIsOnFailsTheStart() {
        Map<String, String> built = Map.of("lock.aspect.enabled", "false");
        run(
                built,
                started -> started.with("lock.aspect.enabled", "true")
                        .isRefused(isDifferent("lock.aspect.enabled", "false", "true")));
    }

    @Test
    @CompileWithForkedClassLoader
    void adaptersThatExistMayHaveAnotherLocker() {
        Map<String, String> built = Map.of(
                "lock.cache.locker", "default",
                "lock.integration.locker", "default",
                "lock.shedlock.locker", "default",
                "lock.lockers.billing.ttl", "30s");
        run(
                built,
                started -> started.with("lock.cache.locker", "billing")
                        .runs(context -> assertThat(context.getBeanProvider(CacheLocks.class))
                                .isNotEmpty()));
    }

    private static String isDifferent(String property, String built, String started) {
        return "'" + property + "' must have the value that it had when the application was processed ahead of time, '"
                + built + "', because that decided which methods lock: '" + started + "'";
    }

    /** Processes the application once, and starts it several times. */
    private static void run(Map<String, String> built, Consumer<Started> story) {
        TestGenerationContext generation = new TestGenerationContext();
        ClassName initializer = process(generation, built);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            // as at the start of such an application; the class loader of the test has a flag of its own
            SpringProperties.setFlag(AotDetector.AOT_ENABLED);
            story.accept(new Started(compiled, initializer.canonicalName(), built));
        });
    }

    /** The processed application, with properties of its start. */
    private record Started(Compiled compiled, String initializer, Map<String, String> properties) {

        /** With one property more than when it was processed, or another value. */
        Started with(String property, String value) {
            Map<String, String> all = new HashMap<>(properties);
            all.put(property, value);
            return new Started(compiled, initializer, all);
        }

        void isRefused(String message) {
            assertThatException()
                    .isThrownBy(() -> runs(context -> {}))
                    .extracting(NestedExceptionUtils::getMostSpecificCause)
                    .asInstanceOf(InstanceOfAssertFactories.type(LockConfigurationException.class))
                    .satisfies(refused -> assertThat(refused).hasMessageContaining(message));
        }

        @SuppressWarnings("unchecked")
        void runs(Consumer<GenericApplicationContext> story) {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                set(context.getEnvironment(), properties);
                compiled.getInstance(ApplicationContextInitializer.class, initializer)
                        .initialize(context);
                context.refresh();
                story.accept(context);
            }
        }
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
