package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The threads on which bodies go on that had to wait for their lock, and what they find there. */
@Timeout(30)
class AsyncContextTests {

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Work.class);

    @Test
    void theBodyRunsOnTheExecutorOfTheApplication() {
        runner.withUserConfiguration(Tasks.class)
                .run(afterWaiting(work -> work.stage(
                        () -> assertThat(Thread.currentThread().getName()).startsWith("application-"))));
    }

    @Test
    void theBodyFindsWhatADecoratorHandsOn() {
        USER.set("alice");
        try {
            runner.withUserConfiguration(Tasks.class)
                    .run(afterWaiting(
                            work -> work.stage(() -> assertThat(USER.get()).isEqualTo("alice"))));
        } finally {
            USER.remove();
        }
    }

    @Test
    void theBodyFindsLogContextLocaleAndClassLoaderOfTheCaller() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[0], before)) {
            runner.run(context -> {
                Thread.currentThread().setContextClassLoader(loader);
                MDC.put("request", "r1");
                LocaleContextHolder.setLocale(Locale.JAPAN);
                afterWaiting(work -> work.stage(() -> {
                            assertThat(MDC.get("request")).isEqualTo("r1");
                            assertThat(LocaleContextHolder.getLocale()).isEqualTo(Locale.JAPAN);
                            assertThat(Thread.currentThread().getContextClassLoader())
                                    .isSameAs(loader);
                        }))
                        .accept(context);
            });
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            LocaleContextHolder.resetLocaleContext();
            MDC.remove("request");
        }
    }

    /** As docs/spring.md says: Spring Security registers an accessor with Micrometer's context propagation. */
    @Test
    void theBodyFindsTheUserOfTheCaller() {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
        try {
            runner.run(afterWaiting(work -> work.stage(
                    () -> assertThat(SecurityContextHolder.getContext().getAuthentication())
                            .satisfies(user -> assertThat(user.getName()).isEqualTo("alice")))));
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDecoratorThatFailsLeavesNoLock(boolean atOnce) {
        runner.withBean(TaskDecorator.class, () -> failing(atOnce)).run(context -> {
            Locker locker = context.getBean(Locker.class);
            LockHandle held = locker.lock("a");
            Throwable failure = catchThrowable(() -> {
                CompletableFuture<String> result = context.getBean(Work.class).stage(() -> {});
                held.release();
                result.get(10, TimeUnit.SECONDS);
            });
            assertThat(failure).isNotNull();
            assertThat(failure).hasStackTraceContaining("no request");
            held.release();
            Awaitility.await().until(() -> locker.tryLock("a").isPresent());
        });
    }

    private static TaskDecorator failing(boolean atOnce) {
        return task -> {
            if (atOnce) {
                throw new IllegalStateException("no request");
            }
            return () -> {
                throw new IllegalStateException("no request");
            };
        };
    }

    @Test
    void aFallbackFindsThemToo() {
        MDC.put("request", "r2");
        try {
            runner.run(context -> {
                Locker locker = context.getBean(Locker.class);
                try (LockHandle held = locker.lock("a")) {
                    assertThat(context.getBean(Work.class).withFallback().get(10, TimeUnit.SECONDS))
                            .isEqualTo("r2");
                    assertThat(held.isHeld()).isTrue();
                }
            });
        } finally {
            MDC.remove("request");
        }
    }

    @Test
    void aBodyThatWasSubscribedWhereBlockingIsAllowedMayBlock() {
        runner.run(afterWaiting(work -> work.mono(() -> {
                    assertThat(Schedulers.isInNonBlockingThread()).isFalse();
                    assertThat(Thread.currentThread().getName()).isEqualTo("leasehold-subscriber");
                })
                .subscribeOn(Schedulers.boundedElastic())
                .doOnNext(done -> assertThat(Schedulers.isInNonBlockingThread()).isFalse())
                .toFuture()));
    }

    @Test
    void aBodyThatWasSubscribedOnANonBlockingThreadStaysOnOne() {
        runner.run(afterWaiting(work -> work.mono(
                        () -> assertThat(Schedulers.isInNonBlockingThread()).isTrue())
                .subscribeOn(Schedulers.parallel())
                .toFuture()));
    }

    /** Reactor does not expose the scheduler on which a subscriber was, so the method names its own. */
    @Test
    void aBodyKeepsTheSchedulerThatTheMethodNames() {
        Scheduler jobs = Schedulers.newSingle("jobs");
        try {
            runner.run(afterWaiting(work -> work.monoOn(
                            jobs,
                            () -> assertThat(Thread.currentThread().getName()).startsWith("jobs-"))
                    .toFuture()));
        } finally {
            jobs.dispose();
        }
    }

    /** Calls a method while its lock is held elsewhere, and releases the lock when the method waits. */
    private static ContextConsumer<AssertableApplicationContext> afterWaiting(Call call) {
        return context -> {
            LockHandle held = context.getBean(Locker.class).lock("a");
            CompletableFuture<?> result = call.on(context.getBean(Work.class));
            Awaitility.await()
                    .until(() -> context.getBean(LockerRegistry.class)
                                    .status("default")
                                    .waiting()
                            == 1);
            CompletableFuture.runAsync(held::release);
            result.get(10, TimeUnit.SECONDS);
        };
    }

    interface Call {

        CompletableFuture<?> on(Work work);
    }

    static class Work {

        @DistributedLock("'a'")
        public CompletableFuture<String> stage(Runnable body) {
            body.run();
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock("'a'")
        public Mono<String> mono(Runnable body) {
            body.run();
            return Mono.fromCallable(() -> {
                body.run();
                return "done";
            });
        }

        @DistributedLock("'a'")
        public Mono<String> monoOn(Scheduler scheduler, Runnable body) {
            return Mono.fromCallable(() -> {
                        body.run();
                        return "done";
                    })
                    .subscribeOn(scheduler);
        }

        @DistributedLock(key = "'a'", waitTime = "20ms", fallbackMethod = "instead")
        public CompletableFuture<String> withFallback() {
            return CompletableFuture.completedFuture("locked");
        }

        @SuppressWarnings("unused")
        private CompletableFuture<String> instead() {
            return CompletableFuture.completedFuture(MDC.get("request"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Tasks {

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setThreadNamePrefix("application-");
            return executor;
        }

        @Bean
        TaskDecorator userDecorator() {
            return task -> {
                String user = USER.get();
                return () -> {
                    String before = USER.get();
                    USER.set(user);
                    try {
                        task.run();
                    } finally {
                        USER.set(before);
                    }
                };
            };
        }
    }
}
