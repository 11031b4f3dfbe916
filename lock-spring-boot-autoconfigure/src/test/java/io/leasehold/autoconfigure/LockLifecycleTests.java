package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What happens to locks when the application stops. */
@ExtendWith(OutputCaptureExtension.class)
class LockLifecycleTests {

    /** Boot's web servers stop gracefully in the phase 1024, and for good in 2048, below the last. */
    private static final int WEB_SERVER = SmartLifecycle.DEFAULT_PHASE - 2048;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s");

    @Test
    void locksEndAfterAllThatMayNeedThemAndBeforeConnections() {
        assertThat(LockLifecycle.PHASE)
                .isLessThan(WEB_SERVER)
                .isLessThan(new ThreadPoolTaskScheduler().getPhase())
                .isLessThan(new SimpleAsyncTaskScheduler().getPhase())
                .isGreaterThan(new LettuceConnectionFactory().getPhase());
    }

    /** A leader may take its lock while beans are created, before the engine resumes. */
    @Test
    void aLockThatABeanTakesDuringTheStartIsKept() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=2s")
                .withUserConfiguration(Leading.class)
                .run(context -> {
                    LockHandle leader = context.getBean(Leader.class).lock();
                    leader.renew();
                    await().during(Duration.ofSeconds(2))
                            .atMost(Duration.ofSeconds(30))
                            .until(leader::isHeld);
                    assertThat(leader.release()).isTrue();
                });
    }

    record Leader(LockHandle lock) {}

    @Configuration(proxyBeanMethods = false)
    static class Leading {

        @Bean
        Leader leader(Locker deployLocker) {
            return new Leader(deployLocker.lock("leader"));
        }
    }

    @Test
    void aHolderThatFinishesInTimeKeepsItsLock(CapturedOutput output) {
        CountDownLatch stopping = new CountDownLatch(1);
        CompletableFuture<Boolean> heldToTheEnd = new CompletableFuture<>();
        runner.withPropertyValues("lock.shutdown.timeout=10s")
                .withBean(Announcement.class, () -> new Announcement(stopping))
                .run(context -> {
                    LockHandle handle =
                            context.getBean("deployLocker", Locker.class).lock("key");
                    Thread holder = new Thread(() -> heldToTheEnd.complete(finish(handle, stopping)));
                    holder.start();
                });

        assertThat(heldToTheEnd).isCompletedWithValue(true);
        assertThat(output).doesNotContain("lock.shutdown.timeout").doesNotContain("ERROR");
    }

    /** Spring waits for such a task only when it destroys the beans, which is after the end of the locks. */
    @Test
    void aTaskThatSpringAwaitsKeepsItsLockForTheShutdownTimeout(CapturedOutput output) {
        runAwaitedTask(
                (deploy, lock) -> {
                    await().until(() -> isEnding(deploy));
                    assertThat(lock.isHeld()).isTrue();
                },
                "lock.shutdown.timeout=30s");
        assertThat(output).doesNotContain("Locks were still held");

        runAwaitedTask((deploy, lock) -> await().until(() -> !lock.isHeld()), "lock.shutdown.timeout=1ms");
        assertThat(output)
                .contains("Locks were still held 1ms after the web server and listeners had stopped")
                .contains("such as tasks that Spring awaits when it destroys the beans ('await-termination',"
                        + " 'wait-for-jobs-to-complete-on-shutdown')");
    }

    @Test
    void aTaskThatSpringIsToldToAwaitKeepsItsLockForAsLong(CapturedOutput output) {
        runAwaitedTask(
                (deploy, lock) -> {
                    await().until(() -> isEnding(deploy));
                    await().pollDelay(Duration.ofSeconds(1)).until(lock::isHeld);
                },
                "spring.task.scheduling.shutdown.await-termination=true",
                "spring.task.scheduling.shutdown.await-termination-period=30s");
        assertThat(output).doesNotContain("Locks were still held");
    }

    private void runAwaitedTask(BiConsumer<Locker, LockHandle> task, String... properties) {
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        runner.withPropertyValues(properties)
                .withBean(ThreadPoolTaskScheduler.class, () -> {
                    ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
                    scheduler.setWaitForTasksToCompleteOnShutdown(true);
                    scheduler.setAwaitTerminationSeconds(30);
                    return scheduler;
                })
                .run(context -> {
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    LockHandle lock = deploy.lock("key");
                    CountDownLatch started = new CountDownLatch(1);
                    context.getBean(ThreadPoolTaskScheduler.class).execute(() -> {
                        started.countDown();
                        try (lock) {
                            task.accept(deploy, lock);
                            end.complete(null);
                        } catch (Throwable ex) {
                            end.completeExceptionally(ex);
                        }
                    });
                    assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
                });
        end.join();
    }

    private static boolean isEnding(Locker locker) {
        try {
            return locker.tryLock("other").map(LockHandle::release).isEmpty();
        } catch (LockBackendException shutDown) {
            return true;
        }
    }

    @Test
    void nothingIsLockedOnceTheApplicationHasStopped() {
        runner.run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            context.getBean(LockLifecycle.class).stop();
            assertThatThrownBy(() -> deploy.tryLock("key"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("shut down");
        });
    }

    @Test
    void noLockerIsMadeOnceTheContextIsClosed() {
        AtomicInteger made = new AtomicInteger();
        runner.withBean("ownLocker", Locker.class, () -> {
                    made.incrementAndGet();
                    return mock(Locker.class);
                })
                .run(context -> {
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .close();
                    for (String name : List.of("deploy", "own")) {
                        assertThatThrownBy(() -> lockers.get(name))
                                .isInstanceOf(LockBackendException.class)
                                .hasMessage("locker '" + name + "' cannot be used, since the application context is"
                                        + " closed. End the work before it is closed");
                    }
                });
        assertThat(made).hasValue(1);
    }

    @Test
    void anApplicationThatStartsAgainLocksAgain() {
        runner.run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            LockHandle before = deploy.lock("key");
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .stop();
            assertThat(before.isHeld()).isFalse();
            assertThatThrownBy(() -> deploy.tryLock("key")).isInstanceOf(LockBackendException.class);

            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .start();
            LockHandle after = deploy.lock("key");
            assertThat(after.isHeld()).isTrue();
            assertThat(before.isHeld()).isFalse();
            assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
            after.renew();
            assertThat(after.release()).isTrue();
        });
    }

    /** A checkpoint may be restored on another host. */
    @Test
    void anApplicationThatStartsAgainHasTheNameOfItsPresentHost() {
        Map<String, Object> host = new HashMap<>(Map.of("HOSTNAME", "host-1"));
        runner.withInitializer(context ->
                        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("host", host)))
                .run(context -> {
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    assertThat(holder(deploy)).startsWith("application@host-1:");
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .stop();
                    host.put("HOSTNAME", "host-2");
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .start();
                    assertThat(holder(deploy)).startsWith("application@host-2:");
                });
    }

    private static @Nullable String holder(Locker locker) {
        try (LockHandle held = locker.lock("name")) {
            return ((LockState.Held)
                            locker.describe(held.key()).toCompletableFuture().join())
                    .holder();
        }
    }

    @Test
    void anApplicationThatIsPausedBetweenTestsHoldsNobodyUpAndLocksAgainAfterwards() {
        runner.run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            LockHandle before = deploy.lock("key");
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            for (int i = 0; i < 3; i++) {
                application.pause();
                assertThat(before.isHeld()).isFalse();
                assertThatThrownBy(() -> deploy.tryLock("key")).isInstanceOf(LockBackendException.class);
                application.restart();
                before = deploy.lock("key");
                assertThat(before.isHeld()).isTrue();
            }
        });
    }

    /** Such beans start before the phase in which the locks end, and get locks when they start for the first time. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE + 1, 0, LockLifecycle.PHASE})
    void aBeanThatStartsEarlyGetsItsLockAtEachStart(int phase) {
        runner.withPropertyValues("phase=" + phase)
                .withUserConfiguration(StartsEarly.class)
                .run(context -> {
                    ConfigurableApplicationContext application =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);
                    application.pause();
                    application.restart();
                    application.stop();
                    application.start();
                    assertThat(context.getBean(Starting.class).locked).hasValue(3);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class StartsEarly {

        @Bean
        Starting starting(Locker deployLocker, @Value("${phase}") int phase) {
            return new Starting(deployLocker, phase);
        }
    }

    /** Locks when it starts. */
    private static final class Starting implements SmartLifecycle {

        private final AtomicInteger locked = new AtomicInteger();

        private final Locker locker;

        private final int phase;

        private boolean running;

        Starting(Locker locker, int phase) {
            this.locker = locker;
            this.phase = phase;
        }

        @Override
        public void start() {
            if (locker.lock("start").release()) {
                locked.incrementAndGet();
            }
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }

    private static boolean finish(LockHandle handle, CountDownLatch stopping) {
        try (handle) {
            boolean stopped = stopping.await(10, TimeUnit.SECONDS);
            return stopped && handle.isHeld();
        } catch (InterruptedException ex) {
            return false;
        }
    }

    /** Stops just before the locks do. */
    private record Announcement(CountDownLatch stopping) implements Lifecycle, Phased {

        @Override
        public void start() {}

        @Override
        public void stop() {
            stopping.countDown();
        }

        @Override
        public boolean isRunning() {
            return stopping.getCount() > 0;
        }

        @Override
        public int getPhase() {
            return LockLifecycle.PHASE + 1;
        }
    }
}
