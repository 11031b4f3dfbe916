package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockerProperties;
import java.lang.annotation.Annotation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

/** An application that is processed ahead of time has the same lockers. */
class LockerBeansAotTests {

    private static final Map<String, Object> AT_BUILD_TIME =
            Map.of("lock.backend", "memory", "lock.lockers.my-deploy.ttl", "10s");

    private static final Map<String, Object> AT_RUN_TIME =
            Map.of("lock.backend", "memory", "lock.lockers.my-deploy.ttl", "20s");

    @Test
    @CompileWithForkedClassLoader
    void lockersAreWrittenDownAndSetAtRunTime() {
        TestGenerationContext generation = new TestGenerationContext();
        ClassName initializer = process(generation);

        TestCompiler.forSystem().with(generation).compile(compiled -> {
            GenericApplicationContext context = new GenericApplicationContext();
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("run", AT_RUN_TIME));
            initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()), context);
            try (context) {
                context.refresh();
                assertThat(context.getBean("myDeployLocker", Locker.class).name())
                        .isEqualTo("my-deploy");
                assertThat(isCandidate(context, "my-deploy")).isTrue();
                assertThat(isCandidate(context, "myDeployLocker")).isTrue();
                assertThat(isCandidate(context, "deploy")).isFalse();
                assertThat(context.getBean("defaultLocker", Locker.class).name())
                        .isEqualTo("default");
                assertThat(context.getBean(LockerRegistry.class).names()).containsExactly("default", "my-deploy");
                assertThat(context.getBean(LockerConfigurations.class)
                                .get("my-deploy")
                                .settings()
                                .ttl())
                        .hasSeconds(20);
            }
        });
    }

    private static boolean isCandidate(GenericApplicationContext context, String qualifier) {
        DependencyDescriptor injected =
                new DependencyDescriptor(ReflectionUtils.findField(Injected.class, "locker"), true) {

                    private static final long serialVersionUID = 1L;

                    @Override
                    public Annotation[] getAnnotations() {
                        return new Annotation[] {
                            MergedAnnotation.of(Qualifier.class, Map.of("value", qualifier))
                                    .synthesize()
                        };
                    }
                };
        return context.getDefaultListableBeanFactory().isAutowireCandidate("myDeployLocker", injected);
    }

    static class Injected {

        Locker locker;
    }

    @Test
    void aNativeImageCanBindAnEntry() {
        TestGenerationContext generation = new TestGenerationContext();
        process(generation);

        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(LockerProperties.class)
                        .test(hints))
                .isTrue();
        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("io/leasehold/redis/acquire.lua")
                        .test(hints))
                .isTrue();
        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("io/leasehold/redis/fastpath/batch.lua")
                        .test(hints))
                .isTrue();
    }

    @SuppressWarnings("unchecked")
    private static void initialize(ApplicationContextInitializer<?> initializer, GenericApplicationContext context) {
        ((ApplicationContextInitializer<GenericApplicationContext>) initializer).initialize(context);
    }

    private static ClassName process(TestGenerationContext generation) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("build", AT_BUILD_TIME));
            context.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return initializer;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class Application {}
}
