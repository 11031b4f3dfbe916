package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/**
 * The recipes of docs/scheduling.md for listeners of Kafka. The container and its error handler are Spring's; the client is
 * Kafka's {@code MockConsumer} over one partition in memory, since Kafka's broker is not among the servers of the tests.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class KafkaListenerTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withBean(Orders.class)
            .withBean(OrdersConsumerFactory.class)
            .withBean(AcquireOutcomes.class)
            .withPropertyValues("lock.backend=memory", "spring.kafka.listener.idle-between-polls=5ms");

    @Test
    void aRecordThatDoesNotGetItsLockIsDeliveredAgain() {
        runner.withBean(Rejecting.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            AcquireOutcomes outcomes = context.getBean(AcquireOutcomes.class);
            List<String> received = context.getBean(Rejecting.class).received();
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                orders.send("7");
                await().atMost(SOON).until(() -> outcomes.notAcquired() >= 2);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            await().atMost(SOON).until(() -> received.equals(List.of("7")));
            await().atMost(SOON).until(() -> orders.committed() == 1);
        });
    }

    @Test
    void aRecordThatNeverGetsItsLockIsLoggedAndSkippedAfterTenDeliveries(CapturedOutput output) {
        runner.withBean(Rejecting.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            AcquireOutcomes outcomes = context.getBean(AcquireOutcomes.class);
            List<String> received = context.getBean(Rejecting.class).received();
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                orders.send("7");
                await().atMost(SOON).until(() -> orders.committed() == 1);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            orders.send("8");
            await().atMost(SOON).until(() -> !received.isEmpty());
            assertThat(received).containsExactly("8");
            assertThat(outcomes.notAcquired()).isEqualTo(10);
            assertThat(output).contains("ERROR").contains("lock '7' of locker 'default' was not acquired");
        });
    }

    @Test
    void aSkippedRecordIsCommittedWithoutAnErrorLine(CapturedOutput output) {
        runner.withBean(Skipping.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                orders.send("7");
                await().atMost(SOON).until(() -> orders.committed() == 1);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(context.getBean(AcquireOutcomes.class).notAcquired()).isEqualTo(1);
            assertThat(context.getBean(Skipping.class).received()).isEmpty();
            assertThat(output).doesNotContain("ERROR").doesNotContain("Exception");
        });
    }

    static class Rejecting {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @KafkaListener(topics = "orders", groupId = "shop")
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

        @KafkaListener(topics = "orders", groupId = "shop")
        @DistributedLock(key = "#order", waitTime = "0", onFailure = OnFailure.SKIP)
        public void receive(String order) {
            received.add(order);
        }

        public List<String> received() {
            return received;
        }
    }

    /** A topic of one partition. A record that was delivered comes again after a seek, as from a broker. */
    static class Orders extends MockConsumer<Object, Object> {

        private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

        private final List<ConsumerRecord<Object, Object>> records = new ArrayList<>();

        Orders() {
            super("earliest");
            updateBeginningOffsets(Map.of(PARTITION, 0L));
        }

        void send(String order) {
            await().atMost(SOON).until(() -> !subscription().isEmpty());
            append(order);
        }

        private synchronized void append(String order) {
            if (assignment().isEmpty()) {
                rebalance(Set.of(PARTITION));
            }
            ConsumerRecord<Object, Object> next = new ConsumerRecord<>("orders", 0, records.size(), order, order);
            records.add(next);
            addRecord(next);
        }

        synchronized long committed() {
            OffsetAndMetadata committed = committed(Set.of(PARTITION)).get(PARTITION);
            return committed == null ? 0 : committed.offset();
        }

        @Override
        public synchronized void seek(TopicPartition partition, long offset) {
            super.seek(partition, offset);
            records.subList((int) offset, records.size()).forEach(this::addRecord);
        }

        @Override
        public synchronized void close() {}
    }

    static class OrdersConsumerFactory extends DefaultKafkaConsumerFactory<Object, Object> {

        private final Orders orders;

        OrdersConsumerFactory(Orders orders) {
            super(Map.of());
            this.orders = orders;
        }

        @Override
        protected Consumer<Object, Object> createRawConsumer(Map<String, Object> configuration) {
            return orders;
        }
    }
}
