package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.scheduling.annotation.EnableAsync;

/**
 * Set-ups of applications that start unchanged with the auto-configuration, and whose annotated methods are locked.
 * Test doubles are in {@code TestDoubleTests}.
 */
@Timeout(60)
class SetUpMatrixTests {

    private static final AutoConfigurations ALL = AutoConfigurations.of(
            AopAutoConfiguration.class,
            TaskExecutionAutoConfiguration.class,
            LockAutoConfiguration.class,
            LockDisabledAutoConfiguration.class,
            LockAspectAutoConfiguration.class,
            LockMetricsAutoConfiguration.class,
            LockHealthContributorAutoConfiguration.class,
            LocksEndpointAutoConfiguration.class);

    private static final String TRANSACTIONS =
            "org.springframework.transaction org.springframework.boot.transaction org.springframework.jdbc"
                    + " org.springframework.orm org.springframework.jms";

    private static final String REACTOR =
            "reactor io.lettuce org.springframework.data.redis org.springframework.web.reactive"
                    + " org.springframework.integration org.springframework.r2dbc io.r2dbc.h2 kotlinx.coroutines.reactor";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(ALL)
            .withPropertyValues("lock.backend=memory")
            .withBean(Work.class);

    /** The first package of a row is absent, the others are those of libraries that need it. */
    @Tag("slow")
    @Timeout(180)
    @ParameterizedTest
    @CsvSource({
        "LockedProgram, io.micrometer org.springframework.boot.micrometer io.github.resilience4j.micrometer",
        "LockedProgram, io.micrometer.context",
        "ReactiveProgram, io.micrometer.context",
        "LockedProgram, " + TRANSACTIONS,
        "ReactiveProgram, " + TRANSACTIONS,
        "LockedProgram, " + REACTOR,
        "TransactionalProgram, " + REACTOR,
        "LockedProgram, " + REACTOR + ' ' + TRANSACTIONS,
        "LockedProgram, org.aspectj",
        "ReactiveProgram, org.aspectj",
        "LockedProgram, org.springframework.data.redis",
        "LockedProgram, io.lettuce org.springframework.data.redis",
        "LockedProgram, io.leasehold.redis",
        "LockedProgram, io.leasehold.jdbc",
        "LockedProgram, io.leasehold.etcd",
        "LockedProgram, org.springframework.jdbc",
        "LockedProgram, com.zaxxer.hikari",
        "LockedProgram, io.github.resilience4j",
        "LockedProgram, org.springframework.retry",
        "LockedProgram, jakarta.validation org.hibernate.validator",
        "ReactiveProgram, kotlinx",
        "ReactiveProgram, kotlin kotlinx",
        "LockedProgram, org.springframework.http",
        "ReactiveProgram, org.springframework.http",
        "LockedProgram, org.mockito",
        "LockedProgram, net.javacrumbs.shedlock org.springframework.integration",
        "HealthProgram, org.springframework.boot.actuate",
        "EndpointProgram, org.springframework.boot.health",
        "LockedProgram, io.micrometer org.springframework.boot.micrometer io.github.resilience4j org.springframework.boot.actuate"
                + " org.springframework.boot.health io.leasehold.redis io.leasehold.jdbc io.leasehold.etcd org.aspectj kotlin"
                + " kotlinx org.springframework.http jakarta.validation " + REACTOR + ' ' + TRANSACTIONS
    })
    void startsWithoutAPackage(String program, String absent) throws Exception {
        SmallerClassPath.run(
                Class.forName(getClass().getPackageName() + '.' + program).asSubclass(Runnable.class),
                absent.split(" "));
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void starts(UnaryOperator<ApplicationContextRunner> setUp) {
        setUp.apply(runner).run(SetUpMatrixTests::isLocked);
    }

    static Stream<Named<UnaryOperator<ApplicationContextRunner>>> setUps() {
        return Stream.of(
                Named.of("nothing else", one -> one),
                Named.of("lazy initialisation", SetUpMatrixTests::lazy),
                Named.of("virtual threads", one -> one.withPropertyValues("spring.threads.virtual.enabled=true")),
                Named.of("proxies by interface", one -> one.withPropertyValues("spring.aop.proxy-target-class=false")),
                Named.of("without automatic aspects", one -> one.withPropertyValues("spring.aop.auto=false")),
                Named.of("asynchronous methods", one -> one.withUserConfiguration(Asynchronous.class)),
                Named.of("an advisor of its own", one -> one.withUserConfiguration(OwnAdvisor.class)),
                Named.of(
                        "a store of its own",
                        one -> one.withPropertyValues("lock.backend=own")
                                .withBean(
                                        "own",
                                        LockBackend.class,
                                        () -> new MemoryLockBackend(System::nanoTime, InstantSource.system()))));
    }

    @Test
    void aChildStartsBelowAParentThatHasLocks() {
        runner.run(parent -> runner.withParent(parent).run(SetUpMatrixTests::isLocked));
    }

    @Test
    void aChildStartsBelowAParentThatHasNone() {
        new ApplicationContextRunner().run(parent -> runner.withParent(parent).run(SetUpMatrixTests::isLocked));
    }

    @Test
    @CompileWithForkedClassLoader
    @SuppressWarnings("unchecked")
    void startsAfterProcessingAheadOfTime() {
        TestGenerationContext generation = new TestGenerationContext();
        ClassName name = process(generation);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            ApplicationContextInitializer<GenericApplicationContext> initializer =
                    compiled.getInstance(ApplicationContextInitializer.class, name.canonicalName());
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                withMemory(context);
                initializer.initialize(context);
                context.refresh();
                isLocked(context);
            }
        });
    }

    private static ClassName process(TestGenerationContext generation) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            withMemory(context);
            context.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return initializer;
        }
    }

    private static void withMemory(GenericApplicationContext context) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("lock.backend", "memory")));
    }

    private static ApplicationContextRunner lazy(ApplicationContextRunner runner) {
        return runner.withInitializer(
                context -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
    }

    private static void isLocked(ApplicationContext context) {
        assertThat(context.getBean(Work.class).token()).isPositive();
        try (LockHandle handle = context.getBean(Locker.class).lock("injected")) {
            assertThat(handle.isHeld()).isTrue();
        }
    }

    public static class Work {

        @DistributedLock("'a'")
        public long token() {
            return LockContext.find("default", "a")
                    .map(LockHandle::fencingToken)
                    .orElse(0L);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}

    @Configuration(proxyBeanMethods = false)
    static class OwnAdvisor {

        @Bean
        static Advisor ownAdvisor() {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.addMethodName("token");
            return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) call -> call.proceed());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class})
    static class Application {

        @Bean
        Work work() {
            return new Work();
        }
    }
}
