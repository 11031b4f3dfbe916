package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AMQP.Queue;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.invocation.InvocationOnMock;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The recipes of docs/scheduling.md for listeners of RabbitMQ. The container is Spring's; its channel leads to a queue
 * in memory, since RabbitMQ's broker is not among the servers of the tests.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RabbitListenerTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RabbitAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withUserConfiguration(Queues.class)
            .withBean(AcquireOutcomes.class)
            .withPropertyValues("lock.backend=memory", "spring.rabbitmq.dynamic=false");

    @Test
    void aMessageThatDoesNotGetItsLockIsDeliveredAgain() {
        runner.withBean(Rejecting.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                orders.send("7");
                await().atMost(SOON).until(() -> orders.requeued() >= 20);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            await().atMost(SOON).until(() -> orders.acknowledged().equals(List.of("7")));
            assertThat(context.getBean(Rejecting.class).received()).containsExactly("7");
        });
    }

    @Test
    void aRetryInterceptorRejectsAMessageThatNeverGetsItsLock(CapturedOutput output) {
        runner.withBean(Rejecting.class)
                .withPropertyValues(
                        "spring.rabbitmq.listener.simple.retry.enabled=true",
                        "spring.rabbitmq.listener.simple.retry.initial-interval=5ms")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                        orders.send("7");
                        await().atMost(SOON).until(() -> orders.rejected().equals(List.of("7")));
                        assertThat(elsewhere.isHeld()).isTrue();
                    }
                    assertThat(orders.requeued()).isZero();
                    assertThat(context.getBean(AcquireOutcomes.class).notAcquired())
                            .isGreaterThan(1);
                    assertThat(output).contains("lock '7' of locker 'default' was not acquired");
                });
    }

    @Test
    void aSkippedMessageIsAcknowledgedWithoutAnErrorLine(CapturedOutput output) {
        runner.withBean(Skipping.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                orders.send("7");
                await().atMost(SOON).until(() -> orders.acknowledged().equals(List.of("7")));
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(context.getBean(Skipping.class).received()).isEmpty();
            assertThat(output).doesNotContain("ERROR").doesNotContain("LockNotAcquiredException");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Queues {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        ConnectionFactory connections(Orders orders) throws IOException {
            return orders.connections();
        }
    }

    static class Rejecting {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @RabbitListener(queues = "orders")
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

        @RabbitListener(queues = "orders")
        @DistributedLock(key = "#order", waitTime = "0", onFailure = OnFailure.SKIP)
        public void receive(String order) {
            received.add(order);
        }

        public List<String> received() {
            return received;
        }
    }

    /** A queue with one consumer. A message that was sent back comes again, as from a broker. */
    static class Orders implements AutoCloseable {

        private static final String CONSUMER = "consumer";

        private final ExecutorService broker = Executors.newSingleThreadExecutor();

        private final AtomicLong tags = new AtomicLong();

        private final Map<Long, String> delivered = new ConcurrentHashMap<>();

        private final List<String> acknowledged = new CopyOnWriteArrayList<>();

        private final List<String> rejected = new CopyOnWriteArrayList<>();

        private final AtomicLong requeued = new AtomicLong();

        private volatile Consumer consumer = mock(Consumer.class);

        private volatile boolean consumed;

        ConnectionFactory connections() throws IOException {
            Channel channel = channel();
            Connection connection = mock(Connection.class);
            given(connection.isOpen()).willReturn(true);
            given(connection.createChannel(anyBoolean())).willReturn(channel);
            ConnectionFactory connections = mock(ConnectionFactory.class);
            given(connections.createConnection()).willReturn(connection);
            given(connections.getVirtualHost()).willReturn("/");
            return connections;
        }

        void send(String order) {
            await().atMost(SOON).until(() -> consumed);
            deliver(order);
        }

        List<String> acknowledged() {
            return acknowledged;
        }

        List<String> rejected() {
            return rejected;
        }

        long requeued() {
            return requeued.get();
        }

        @Override
        public void close() {
            broker.shutdownNow();
        }

        private Channel channel() throws IOException {
            Channel channel = mock(Channel.class);
            given(channel.isOpen()).willReturn(true);
            given(channel.queueDeclarePassive(anyString())).willReturn(mock(Queue.DeclareOk.class));
            given(channel.basicConsume(
                            anyString(),
                            anyBoolean(),
                            anyString(),
                            anyBoolean(),
                            anyBoolean(),
                            anyMap(),
                            any(Consumer.class)))
                    .willAnswer(this::consume);
            willAnswer(call -> acknowledged.add(ended(call))).given(channel).basicAck(anyLong(), anyBoolean());
            willAnswer(call -> sentBack(ended(call), call.getArgument(2)))
                    .given(channel)
                    .basicNack(anyLong(), anyBoolean(), anyBoolean());
            willAnswer(call -> sentBack(ended(call), call.getArgument(1)))
                    .given(channel)
                    .basicReject(anyLong(), anyBoolean());
            return channel;
        }

        private String consume(InvocationOnMock call) {
            consumer = call.getArgument(6);
            consumer.handleConsumeOk(CONSUMER);
            consumed = true;
            return CONSUMER;
        }

        private String ended(InvocationOnMock call) {
            return delivered.remove(call.<Long>getArgument(0));
        }

        private Void sentBack(String order, boolean requeue) {
            if (requeue) {
                requeued.incrementAndGet();
                deliver(order);
            } else {
                rejected.add(order);
            }
            return null;
        }

        private void deliver(String order) {
            long tag = tags.incrementAndGet();
            delivered.put(tag, order);
            BasicProperties text =
                    new BasicProperties.Builder().contentType("text/plain").build();
            broker.execute(() -> {
                try {
                    consumer.handleDelivery(
                            CONSUMER,
                            new Envelope(tag, false, "", "orders"),
                            text,
                            order.getBytes(StandardCharsets.UTF_8));
                } catch (IOException ex) {
                    throw new IllegalStateException(ex);
                }
            });
        }
    }
}
