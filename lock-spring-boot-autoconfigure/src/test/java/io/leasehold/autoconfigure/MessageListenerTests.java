package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/** The recipes of docs/scheduling.md for listeners of messages: a container of JMS with a broker in this process. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class MessageListenerTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ActiveMQAutoConfiguration.class,
                    JmsAutoConfiguration.class,
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class))
            .withUserConfiguration(Messages.class)
            .withBean(AcquireOutcomes.class)
            .withPropertyValues(
                    "lock.backend=memory",
                    "spring.activemq.broker-url=vm://" + UUID.randomUUID()
                            + "?broker.persistent=false&broker.useJmx=false"
                            + "&jms.redeliveryPolicy.initialRedeliveryDelay=5&jms.redeliveryPolicy.redeliveryDelay=5"
                            + "&jms.redeliveryPolicy.maximumRedeliveries=-1");

    @Test
    void aMessageThatDoesNotGetItsLockIsDeliveredAgain() {
        runner.withBean(Rejecting.class).run(context -> {
            AcquireOutcomes outcomes = context.getBean(AcquireOutcomes.class);
            List<String> received = context.getBean(Rejecting.class).received();
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                send(context, "7");
                await().atMost(SOON).until(() -> outcomes.notAcquired() >= 2);
                assertThat(received).isEmpty();
                assertThat(elsewhere.isHeld()).isTrue();
            }
            await().atMost(SOON).until(() -> received.equals(List.of("7")));
        });
    }

    @Test
    void aSkippedMessageIsAcknowledgedWithoutAnErrorLine(CapturedOutput output) {
        runner.withBean(Skipping.class).run(context -> {
            AcquireOutcomes outcomes = context.getBean(AcquireOutcomes.class);
            List<String> received = context.getBean(Skipping.class).received();
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                send(context, "7");
                await().atMost(SOON).until(() -> outcomes.notAcquired() == 1);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            send(context, "8");
            await().atMost(SOON).until(() -> !received.isEmpty());
            assertThat(received).containsExactly("8");
            assertThat(output).doesNotContain("ERROR").doesNotContain("Exception");
        });
    }

    @Test
    void messagesOfOneKeyAreProcessedOneAfterTheOther(CapturedOutput output) {
        runner.withBean(Concurrent.class).run(context -> {
            Concurrent listener = context.getBean(Concurrent.class);
            IntStream.range(0, 20).forEach(message -> send(context, "7"));
            await().atMost(SOON).until(() -> listener.received() == 20);
            assertThat(listener.most()).isEqualTo(1);
            assertThat(output).doesNotContain("ERROR").doesNotContain("Exception");
        });
    }

    private static void send(ApplicationContext context, String order) {
        context.getBean(JmsTemplate.class).convertAndSend("orders", order);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class Messages {}

    static class Rejecting {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @JmsListener(destination = "orders")
        @DistributedLock(key = "#order", waitTime = "0")
        public void receive(String order) {
            received.add(order);
        }

        public List<String> received() {
            return received;
        }
    }

    static class Skipping {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @JmsListener(destination = "orders")
        @DistributedLock(key = "#order", waitTime = "0", onFailure = OnFailure.SKIP)
        public void receive(String order) {
            received.add(order);
        }

        public List<String> received() {
            return received;
        }
    }

    static class Concurrent {

        private final AtomicInteger inside = new AtomicInteger();

        private final AtomicInteger most = new AtomicInteger();

        private final AtomicInteger received = new AtomicInteger();

        @JmsListener(destination = "orders", concurrency = "4")
        @DistributedLock(key = "#order", waitTime = "30s")
        public void receive(String order) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.yield();
            inside.decrementAndGet();
            received.incrementAndGet();
        }

        public int most() {
            return most.get();
        }

        public int received() {
            return received.get();
        }
    }
}
