package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockAttempt;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.FakeTransactions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which listeners run under the lock of a method that publishes an event, and the order of lock events. */
@Timeout(60)
class ListenerOrderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withUserConfiguration(Transactions.class)
            .withBean(Log.class)
            .withBean(Publishing.class)
            .withBean(Listening.class);

    @Test
    void listenersRunUnderTheLockOfTheMethodThatPublishes() {
        runner.run(context -> {
            context.getBean(Publishing.class).publish("a");
            assertThat(log(context))
                    .containsExactly("acquired a", "event under [a]", "after commit under [a]", "released a");
        });
    }

    @Test
    void listenersRunBeforeTheReleaseAtTheEndOfTheCallersTransaction() {
        runner.run(context -> {
            new TransactionTemplate(context.getBean(FakeTransactions.class))
                    .executeWithoutResult(
                            status -> context.getBean(Publishing.class).publish("a"));
            assertThat(log(context))
                    .containsExactly("acquired a", "event under [a]", "after commit under [a]", "released a");
        });
    }

    @Test
    void aLockThatAListenerTakesAfterTheCommitIsReleased() {
        runner.run(context -> {
            new TransactionTemplate(context.getBean(FakeTransactions.class))
                    .executeWithoutResult(
                            status -> context.getBean(Publishing.class).publishNumber("a"));
            assertThat(log(context)).contains("acquired 7", "released 7");
            assertThat(isFree(context, "7")).isTrue();
            assertThat(isFree(context, "a")).isTrue();
        });
    }

    @Test
    void theListenerOfLocksIsNotifiedOfTheReleaseBeforeTheSubscriberOfAMono() {
        runner.run(context -> {
            Log log = context.getBean(Log.class);
            context.getBean(Publishing.class)
                    .mono("a")
                    .doOnSuccess(value -> log.add("subscriber"))
                    .block();
            assertThat(log.lines).containsExactly("acquired a", "body", "released a", "subscriber");
        });
    }

    @Test
    void theListenerOfLocksIsNotifiedOfTheReleaseBeforeTheSubscriberOfAFluxCompletes() {
        runner.run(context -> {
            Log log = context.getBean(Log.class);
            context.getBean(Publishing.class)
                    .flux("a")
                    .doOnNext(value -> log.add("element"))
                    .doOnComplete(() -> log.add("subscriber"))
                    .blockLast();
            assertThat(log.lines).containsExactly("acquired a", "body", "element", "released a", "subscriber");
        });
    }

    private static List<String> log(ApplicationContext context) {
        return context.getBean(Log.class).lines;
    }

    private static boolean isFree(ApplicationContext context, String key) {
        return CompletableFuture.supplyAsync(
                        () -> context.getBean(Locker.class).tryLock(key).isPresent())
                .join();
    }

    public static class Log implements LockListener {

        private final List<String> lines = new CopyOnWriteArrayList<>();

        void add(String line) {
            lines.add(line);
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            add(outcome.name().toLowerCase(Locale.ROOT) + " " + attempt.key());
        }

        @Override
        public void released(LockHandle handle, Duration held) {
            add("released " + handle.key());
        }
    }

    public static class Publishing {

        private final ApplicationEventPublisher publisher;

        private final Log log;

        Publishing(ApplicationEventPublisher publisher, Log log) {
            this.publisher = publisher;
            this.log = log;
        }

        @DistributedLock("#key")
        @Transactional
        public void publish(String key) {
            publisher.publishEvent(key);
        }

        @DistributedLock("#key")
        @Transactional
        public void publishNumber(String key) {
            publisher.publishEvent(7);
        }

        @DistributedLock("#key")
        public Mono<String> mono(String key) {
            return Mono.fromSupplier(() -> body(key));
        }

        @DistributedLock("#key")
        public Flux<String> flux(String key) {
            return Flux.defer(() -> Flux.just(body(key)));
        }

        private String body(String key) {
            log.add("body");
            return key;
        }
    }

    public static class Listening {

        private final Log log;

        Listening(Log log) {
            this.log = log;
        }

        @EventListener
        public void on(String key) {
            log.add("event under " + keys());
        }

        /** Joins the lock of the publishing method. */
        @TransactionalEventListener
        @DistributedLock("#key")
        public void afterCommit(String key) {
            log.add("after commit under " + keys());
        }

        @TransactionalEventListener
        @DistributedLock("#number")
        public void afterCommit(Integer number) {}

        private static List<String> keys() {
            return LockContext.all().stream().map(LockHandle::key).toList();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {

        @Bean
        FakeTransactions transactionManager() {
            return new FakeTransactions();
        }
    }
}
