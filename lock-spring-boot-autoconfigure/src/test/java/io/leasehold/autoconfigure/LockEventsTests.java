package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.event.LockAcquiredEvent;
import io.leasehold.event.LockLostEvent;
import io.leasehold.event.LockReleasedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** Which events an application is told. */
class LockEventsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s")
            .withBean(Heard.class);

    @Test
    void aLostLockIsTold() {
        runner.withPropertyValues("lock.lockers.deploy.max-hold-time=10s", "lock.lockers.deploy.ttl=300ms")
                .withPropertyValues("lock.lockers.deploy.max-hold-time=300ms")
                .run(context -> {
                    context.getBean("deployLocker", Locker.class).lock("key");
                    Heard heard = context.getBean(Heard.class);
                    await().atMost(Duration.ofSeconds(30)).until(() -> !heard.events.isEmpty());
                    assertThat(heard.events).singleElement().satisfies(event -> {
                        LockLostEvent lost = (LockLostEvent) event;
                        assertThat(lost.locker()).isEqualTo("deploy");
                        assertThat(lost.key()).isEqualTo("key");
                        assertThat(lost.reason()).isEqualTo(LossReason.MAX_HOLD_TIME);
                    });
                    assertThat(heard.threads).containsOnly("lock-application-events");
                });
    }

    @Test
    void otherEventsAreToldIfTheyAreAskedFor() {
        runner.withPropertyValues("lock.events.publish=acquired,released").run(context -> {
            context.getBean("deployLocker", Locker.class).lock("key").close();
            Heard heard = context.getBean(Heard.class);
            await().atMost(Duration.ofSeconds(30)).until(() -> heard.events.size() == 2);
            assertThat(heard.events.get(0)).isInstanceOf(LockAcquiredEvent.class);
            assertThat(heard.events.get(1)).isInstanceOf(LockReleasedEvent.class);
        });
    }

    static class Heard {

        final List<Object> events = new CopyOnWriteArrayList<>();

        final List<String> threads = new CopyOnWriteArrayList<>();

        @EventListener({LockAcquiredEvent.class, LockReleasedEvent.class, LockLostEvent.class})
        void hear(Object event) {
            events.add(event);
            threads.add(Thread.currentThread().getName());
        }
    }
}
