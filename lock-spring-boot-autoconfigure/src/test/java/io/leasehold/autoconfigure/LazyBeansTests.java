package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.locker.LockerCustomizer;
import io.leasehold.locker.RuntimeLockers;
import io.leasehold.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The application's lazy beans, which the first call needs. Spring creates one lazy bean at a time, so the first call
 * waits while another thread creates a bean, and that bean may lock too.
 */
class LazyBeansTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final BeanDefinitionCustomizer LAZY = bean -> bean.setLazyInit(true);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    private final ApplicationContextRunner withLocker =
            runner.withPropertyValues("lock.lockers.default.wait-time=1s").withBean(Work.class);

    @Test
    void theExecutorOfTheApplication() {
        bothCallsEnd(
                withLocker.withBean("applicationTaskExecutor", Executor.class, () -> Runnable::run, LAZY),
                beans -> beans.getBean(Work.class).stage("first"),
                beans -> beans.getBean(Work.class).stage("second").join());
    }

    @Test
    void aTypeOfKeys() {
        bothCallsEnd(
                withLocker.withBean("orders", LockKeyType.class, () -> new LockKeyType<>(Order.class, Order::id), LAZY),
                beans -> beans.getBean(Work.class).order(new Order("first")),
                beans -> beans.getBean(Work.class).order(new Order("second")));
    }

    @Test
    void aCustomizerOfKeys() {
        bothCallsEnd(
                withLocker.withBean("keys", LockKeyCustomizer.class, () -> (locker, key) -> key, LAZY),
                beans -> beans.getBean(Locker.class).lock("first").release(),
                beans -> beans.getBean(Locker.class).lock("second").release());
    }

    @Test
    void aCustomizerOfLockers() {
        bothCallsEnd(
                runner.withBean("settings", LockerCustomizer.class, () -> settings -> settings, LAZY),
                beans -> beans.getBean(RuntimeLockers.class).create("first"),
                beans -> beans.getBean(RuntimeLockers.class).create("second"));
    }

    private static void bothCallsEnd(
            ApplicationContextRunner application, Consumer<BeanFactory> first, Consumer<BeanFactory> second) {
        CompletableFuture<Void> story = CompletableFuture.runAsync(
                () -> application.run(context -> {
                    FutureTask<Void> call = new FutureTask<>(() -> first.accept(context), null);
                    Thread other = new Thread(call, "first");
                    other.setDaemon(true);
                    ((GenericApplicationContext) context.getSourceApplicationContext())
                            .registerBean(LazyService.class, () -> {
                                other.start();
                                await().until(() -> other.getState() != Thread.State.RUNNABLE);
                                second.accept(context);
                                return new LazyService();
                            });
                    assertThat(context.getBean(LazyService.class)).isNotNull();
                    call.get();
                }),
                task -> DaemonThreads.named("story").newThread(task).start());
        assertThat(story).succeedsWithin(LONG);
    }

    private record LazyService() {}

    private record Order(String id) {}

    static class Work {

        @DistributedLock("#key")
        CompletableFuture<String> stage(String key) {
            return CompletableFuture.completedFuture(key);
        }

        @DistributedLock("#order")
        void order(Order order) {}
    }
}
