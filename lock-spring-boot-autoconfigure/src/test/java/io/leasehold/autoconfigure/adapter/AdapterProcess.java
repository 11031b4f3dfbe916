package io.leasehold.autoconfigure.adapter;

import io.leasehold.LockLostException;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.ListOperations;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.redis.store.RedisMessageStore;
import org.springframework.integration.support.MutableMessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.MessagingException;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application with Spring Integration's leader election and aggregator, and with a job of ShedLock that does not
 * end. It prints a line for each event, and is the main class of a process of its own.
 */
@Configuration(proxyBeanMethods = false)
@EnableIntegration
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "PT12H")
@ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    LockAutoConfiguration.class,
    LockIntegrationAutoConfiguration.class,
    LockShedLockAutoConfiguration.class
})
public class AdapterProcess {

    static final String READY = "ready";

    static final String LEADS = "leads";

    static final String LEADS_NO_MORE = "leads no more";

    static final String RUNS_THE_JOB = "runs the job";

    /** The process stops under the lock of the group that it has just found complete. */
    static final String STOPS = "stops";

    static final String LOST_A_LOCK = "lost a lock";

    /** The list of the parts to aggregate, each with the name of its group and its text. */
    static final String PARTS = "parts";

    /** The beginning of the name of a process's list: the part that it has taken and not yet acknowledged. */
    static final String TAKEN_BY = "taken-by-";

    /** Set if the next process that finds a complete group stops there until it finds an element in {@link #GO_ON}. */
    static final String STOP = "stop";

    static final String GO_ON = "go-on";

    /** The list of the aggregated groups. */
    static final String GROUPS = "groups";

    static final int GROUP_SIZE = 5;

    public static void main(String[] args) {
        ApplicationContext context = SpringApplication.run(AdapterProcess.class, args);
        AggregatingMessageHandler aggregator = context.getBean(AggregatingMessageHandler.class);
        ListOperations<String, String> lists =
                context.getBean(StringRedisTemplate.class).opsForList();
        String taken = TAKEN_BY + context.getEnvironment().getProperty("process");
        say(READY);
        while (context.containsBean("job")) {
            String part = lists.rightPopAndLeftPush(PARTS, taken, Duration.ofSeconds(1));
            if (part != null) {
                handle(aggregator, part, lists);
                lists.remove(taken, 1, part);
            }
        }
    }

    /** A part that is refused is delivered again, with the id that it has had before. */
    private static void handle(
            AggregatingMessageHandler aggregator, String part, ListOperations<String, String> lists) {
        String[] groupAndText = part.split(" ");
        try {
            aggregator.handleMessage(MutableMessageBuilder.withPayload(groupAndText[1])
                    .setHeader(MessageHeaders.ID, UUID.nameUUIDFromBytes(part.getBytes(StandardCharsets.UTF_8)))
                    .setCorrelationId(groupAndText[0])
                    .setSequenceSize(GROUP_SIZE)
                    .build());
        } catch (MessagingException ex) {
            if (ex.getRootCause() instanceof LockLostException) {
                say(LOST_A_LOCK);
            }
            lists.leftPush(PARTS, part);
        }
    }

    static void say(String event) {
        System.out.println(event);
    }

    @Bean
    LockRegistryLeaderInitiator leader(LockRegistry<?> registry) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(registry, new DefaultCandidate("candidate", "leader") {

                    @Override
                    public void onGranted(Context context) {
                        super.onGranted(context);
                        say(LEADS);
                    }

                    @Override
                    public void onRevoked(Context context) {
                        super.onRevoked(context);
                        say(LEADS_NO_MORE);
                    }
                });
        initiator.setHeartBeatMillis(100);
        initiator.setBusyWaitMillis(100);
        return initiator;
    }

    @Bean
    AggregatingMessageHandler aggregator(
            LockRegistry<?> registry, RedisConnectionFactory connections, StringRedisTemplate redis) {
        DirectChannel groups = new DirectChannel();
        groups.subscribe(message ->
                redis.opsForList().rightPush(GROUPS, message.getPayload().toString()));
        AggregatingMessageHandler aggregator = new AggregatingMessageHandler(
                new DefaultAggregatingMessageGroupProcessor(), new RedisMessageStore(connections));
        aggregator.setLockRegistry(registry);
        aggregator.setOutputChannel(groups);
        aggregator.setReleaseStrategy(group -> {
            boolean complete = group.size() == GROUP_SIZE;
            if (complete && redis.delete(STOP)) {
                say(STOPS);
                redis.opsForList().leftPop(GO_ON, Duration.ofMinutes(5));
            }
            return complete;
        });
        return aggregator;
    }

    @Bean
    Job job() {
        return new Job();
    }

    /** Runs in one process at a time, until that process ends. */
    public static class Job {

        @Scheduled(fixedDelay = 100)
        @SchedulerLock(name = "report", lockAtMostFor = "PT12H")
        public void run() throws InterruptedException {
            LockAssert.assertLocked();
            say(RUNS_THE_JOB);
            new CountDownLatch(1).await();
        }
    }
}
