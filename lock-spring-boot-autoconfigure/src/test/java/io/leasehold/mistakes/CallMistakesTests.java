package io.leasehold.mistakes;

import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

/** Calls of a locker that cannot succeed. */
class CallMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory", "lock.lockers.deploy.wait-time=0s", "lock.instance-name=orders@host-1")
            .withBean(Deployments.class);

    @Test
    void lockThatTheCallerHolds() {
        call(deploy -> {
            deploy.lock("service-a");
            deploy.lock("service-a");
        });
    }

    @Test
    void executeLockedThatTheCallerHolds() {
        call(deploy -> {
            deploy.lock("service-a");
            execute(deploy, () -> "never");
        });
    }

    @Test
    void annotatedMethodWhoseLockTheCallerHolds() {
        run(context -> {
            deploy(context).lock("service-a");
            context.getBean(Deployments.class).deploy(() -> "never");
        });
    }

    @Test
    void lockInsideOfExecuteLocked() {
        call(deploy -> execute(deploy, () -> deploy.lock("service-a")));
    }

    @Test
    void lockInsideOfAnAnnotatedMethod() {
        run(context ->
                context.getBean(Deployments.class).deploy(() -> deploy(context).lock("service-a")));
    }

    @Test
    void lockInsideOfAnAsynchronousMethod() {
        runner.run(context -> assertOnPage(context.getBean(Deployments.class)
                .deployAsync(() -> deploy(context).lock("service-a"))
                .handle((result, failure) -> failure)
                .join()));
    }

    @Test
    void lockInsideOfAReactiveMethod() {
        run(context -> context.getBean(Deployments.class)
                .deployReactive(() -> deploy(context).lock("service-a"))
                .block());
    }

    @Test
    void futureOfExecuteLocked() {
        call(deploy -> execute(deploy, CompletableFuture::new));
    }

    @Test
    void publisherOfExecuteLocked() {
        call(deploy -> execute(deploy, Mono::never));
    }

    @Test
    void workLongerThanATtlThatIsNotRenewed() {
        call(deploy -> {
            LockHandle held =
                    deploy.lock(LockRequest.of("service-a").withAutoRenew(false).withTtl(Duration.ofMillis(50)));
            await().until(() -> !held.isHeld());
            held.requireHeld();
        });
    }

    @Test
    void useAfterRelease() {
        call(deploy -> {
            LockHandle held = deploy.lock("service-a");
            held.close();
            held.requireHeld();
        });
    }

    @Test
    void blankKey() {
        call(deploy -> deploy.lock(" "));
    }

    @Test
    void negativeWaitTime() {
        call(deploy -> deploy.tryLock("service-a", Duration.ofSeconds(-1)));
    }

    @Test
    void lockAfterShutdown() {
        runner.run(context -> {
            Locker deploy = context.getBean("deployLocker", Locker.class);
            context.close();
            assertOnPage(Assertions.catchThrowable(() -> deploy.lock("service-a")));
        });
    }

    private void call(Consumer<Locker> call) {
        run(context -> call.accept(deploy(context)));
    }

    private void run(Consumer<ApplicationContext> call) {
        runner.run(context -> assertOnPage(Assertions.catchThrowable(() -> call.accept(context))));
    }

    private static Locker deploy(ApplicationContext context) {
        return context.getBean("deployLocker", Locker.class);
    }

    private static void execute(Locker deploy, Supplier<Object> work) {
        try {
            deploy.executeLocked("service-a", () -> work.get());
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    static class Deployments {

        @DistributedLock(locker = "deploy", key = "'service-a'")
        public Object deploy(Supplier<Object> work) {
            return work.get();
        }

        @DistributedLock(locker = "deploy", key = "'service-a'")
        public CompletableFuture<Object> deployAsync(Supplier<Object> work) {
            return CompletableFuture.completedFuture(work.get());
        }

        @DistributedLock(locker = "deploy", key = "'service-a'")
        public Mono<Object> deployReactive(Supplier<Object> work) {
            return Mono.just(work.get());
        }
    }
}
