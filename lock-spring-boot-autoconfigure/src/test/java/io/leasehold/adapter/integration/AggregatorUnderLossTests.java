package io.leasehold.adapter.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.test.TestLocks;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;

/** Spring Integration's aggregator, whose lock is lost while it handles a part. */
class AggregatorUnderLossTests {

    private static final int SIZE = 3;

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final LockerLockRegistry registry = new LockerLockRegistry(locks.locker("integration"));

    private final QueueChannel groups = new QueueChannel();

    private int sizeAtLoss;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Integration.class)
            .withBean(AggregatingMessageHandler.class, this::aggregator);

    @Test
    void theSenderOfAPartLearnsOfTheLossAndSendsItAgain() {
        runner.run(context -> {
            AggregatingMessageHandler aggregator = context.getBean(AggregatingMessageHandler.class);
            aggregator.handleMessage(part("a"));
            sizeAtLoss = 2;
            Message<String> second = part("b");
            assertThatThrownBy(() -> aggregator.handleMessage(second)).hasRootCauseInstanceOf(LockLostException.class);
            assertThat(locks.held()).isEmpty();

            sizeAtLoss = 0;
            aggregator.handleMessage(second);
            aggregator.handleMessage(part("c"));
            assertThat(completeGroups()).containsExactly(List.of("a", "b", "c"));
        });
    }

    @Test
    void aGroupThatWasCompleteAtTheLossIsSentOnce() {
        runner.run(context -> {
            AggregatingMessageHandler aggregator = context.getBean(AggregatingMessageHandler.class);
            aggregator.handleMessage(part("a"));
            aggregator.handleMessage(part("b"));
            sizeAtLoss = SIZE;
            Message<String> last = part("c");
            assertThatThrownBy(() -> aggregator.handleMessage(last)).hasRootCauseInstanceOf(LockLostException.class);
            assertThat(completeGroups()).containsExactly(List.of("a", "b", "c"));

            sizeAtLoss = 0;
            aggregator.handleMessage(last);
            assertThat(completeGroups()).isEmpty();
            assertThat(locks.held()).isEmpty();
        });
    }

    private AggregatingMessageHandler aggregator() {
        AggregatingMessageHandler aggregator =
                new AggregatingMessageHandler(new DefaultAggregatingMessageGroupProcessor(), new SimpleMessageStore());
        aggregator.setLockRegistry(registry);
        aggregator.setOutputChannel(groups);
        aggregator.setReleaseStrategy(group -> {
            if (group.size() == sizeAtLoss) {
                locks.held().stream().map(LockHandle::key).toList().forEach(locks::lose);
            }
            return group.size() == SIZE;
        });
        return aggregator;
    }

    private static Message<String> part(String text) {
        return MessageBuilder.withPayload(text)
                .setCorrelationId("group")
                .setSequenceSize(SIZE)
                .build();
    }

    private List<Object> completeGroups() {
        return groups.clear().stream()
                .map(Message::getPayload)
                .map(Objects::requireNonNull)
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Integration {}
}
