package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;

/** Aspects of the application inside of the lock, on methods whose body runs after the call. */
@Timeout(30)
class AspectInsideLockTests {

    @Test
    void theyAdviseABlockingMethod() {
        LockedContext.with(Audit.class, Orders.class).run(context -> {
            assertThat(context.getBean(Orders.class).ship("a")).isEqualTo("a");
            assertThat(seen(context)).containsExactly("around order: ship", "before ship(a)");
        });
    }

    @Test
    void theyAdviseAMethodThatReturnsAMono() {
        LockedContext.with(Audit.class, Orders.class).run(context -> {
            Mono<String> later = context.getBean(Orders.class).shipReactive("a");
            assertThat(later.block(Duration.ofSeconds(10))).isEqualTo("a");
            assertThat(later.block(Duration.ofSeconds(10))).isEqualTo("a");
            assertThat(seen(context))
                    .containsExactly(
                            "around order: shipReactive", "before shipReactive(a)",
                            "around order: shipReactive", "before shipReactive(a)");
        });
    }

    @Test
    void theyAdviseAMethodThatReturnsAStageWhoseLockIsGrantedOnAnotherThread() {
        LockedContext.with(Audit.class, Orders.class).run(context -> {
            context.getBean("defaultLocker", RecordingLocker.class).answering = ForkJoinPool.commonPool();
            assertThat(context.getBean(Orders.class).shipLater("a"))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo("a");
            assertThat(seen(context)).containsExactly("around order: shipLater", "before shipLater(a)");
        });
    }

    @Test
    void theySeeTheirOwnCallAndNotTheOneThatSubscribes() {
        LockedContext.with(Audit.class, Orders.class, Shop.class).run(context -> {
            assertThat(context.getBean(Shop.class).order(context.getBean(Orders.class)))
                    .isEqualTo("a");
            assertThat(seen(context))
                    .containsExactly("around shop: order", "around order: shipReactive", "before shipReactive(a)");
        });
    }

    @Test
    void theMethodReceivesItsHandleIfTheyCallItLater() {
        LockedContext.with(Later.class, Fenced.class).run(context -> {
            Fenced fenced = context.getBean(Fenced.class);
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            CompletableFuture<Long> token = fenced.token("a", null);
            context.getBean(Later.class).begin();
            assertThat(token)
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo(locker.granted.get(0).fencingToken());
        });
    }

    @Test
    void theMethodReceivesItsHandleIfTheyCallItLaterInsideOfAsynchronousExecution() {
        LockedContext.with(Later.class, Fenced.class, Asynchronously.class).run(context -> {
            Fenced fenced = context.getBean(Fenced.class);
            RecordingLocker locker = context.getBean("defaultLocker", RecordingLocker.class);
            CompletableFuture<Long> token = fenced.tokenOfExecutor("a", null);
            Awaitility.await().until(() -> context.getBean(Later.class).isCalled());
            context.getBean(Later.class).begin();
            assertThat(token)
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo(locker.granted.get(0).fencingToken());
        });
    }

    private static List<String> seen(ApplicationContext context) {
        return context.getBean(Audit.class).seen();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Audited {

        String value();
    }

    @Aspect
    public static class Audit {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        public List<String> seen() {
            return seen;
        }

        @Around("@annotation(audited)")
        public Object around(ProceedingJoinPoint call, Audited audited) throws Throwable {
            seen.add("around " + audited.value() + ": " + call.getSignature().getName());
            return call.proceed();
        }

        @Before("execution(* ship*(..))")
        public void before(JoinPoint call) {
            seen.add("before " + call.getSignature().getName() + "(" + call.getArgs()[0] + ")");
        }
    }

    /** Calls a method when a test begins it, as a cache does that looks a value up without blocking a thread. */
    @Aspect
    public static class Later {

        private final CompletableFuture<Void> begun = new CompletableFuture<>();

        private volatile boolean called;

        public boolean isCalled() {
            return called;
        }

        public void begin() {
            begun.complete(null);
        }

        @Around("execution(java.util.concurrent.CompletableFuture token*(..))")
        public Object around(ProceedingJoinPoint call) {
            CompletableFuture<?> result = begun.thenCompose(nothing -> {
                try {
                    return (CompletableFuture<?>) call.proceed();
                } catch (Throwable ex) {
                    return CompletableFuture.failedFuture(ex);
                }
            });
            called = true;
            return result;
        }
    }

    public static class Fenced {

        @DistributedLock("#id")
        public CompletableFuture<Long> token(String id, LockHandle lock) {
            return CompletableFuture.completedFuture(lock.fencingToken());
        }

        @Async
        @DistributedLock("#id")
        public CompletableFuture<Long> tokenOfExecutor(String id, LockHandle lock) {
            return token(id, lock);
        }
    }

    @EnableAsync(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class Asynchronously {}

    public static class Orders {

        @Audited("order")
        @DistributedLock("#id")
        public String ship(String id) {
            return id;
        }

        @Audited("order")
        @DistributedLock("#id")
        public Mono<String> shipReactive(String id) {
            return Mono.just(id);
        }

        @Audited("order")
        @DistributedLock("#id")
        public CompletableFuture<String> shipLater(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    public static class Shop {

        @Audited("shop")
        public String order(Orders orders) {
            return orders.shipReactive("a").block(Duration.ofSeconds(10));
        }
    }
}
