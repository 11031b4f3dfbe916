package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.autoconfigure.JvmProcesses;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ListOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Spring Integration and ShedLock in three processes, of which one is killed and one is paused for longer than the ttl.
 */
@Tag("slow")
@Timeout(300)
class AdaptersInProcessesTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final int GROUPS = 20;

    private final RedisServer redis = RedisServer.start();

    private final JvmProcesses processes = new JvmProcesses();

    @AfterEach
    void end() {
        processes.close();
        redis.close();
    }

    @Test
    void onRedis() {
        takeOverWork("--lock.backend=redis");
    }

    @Test
    void onPostgres() {
        takeOverWork(
                "--lock.backend=jdbc",
                "--lock.jdbc.initialize-schema=true",
                "--spring.datasource.url=" + PostgresServer.shared().url());
    }

    private void takeOverWork(String... store) {
        String[] arguments = arguments(store);
        ServerProcess first = start("first", arguments);
        await().atMost(SOON).until(() -> leads(first) && runsTheJob(first));
        ServerProcess second = start("second", arguments);
        ServerProcess third = start("third", arguments);
        await().atMost(SOON).until(() -> said(second, AdapterProcess.READY) && said(third, AdapterProcess.READY));

        aggregate();

        assertThat(List.of(second, third)).noneMatch(this::leads).noneMatch(this::runsTheJob);
        first.kill();
        await().atMost(SOON).until(() -> leads(second) ^ leads(third));
        await().atMost(SOON).until(() -> runsTheJob(second) ^ runsTheJob(third));

        ServerProcess leader = leads(second) ? second : third;
        ServerProcess follower = leader == second ? third : second;
        leader.pause();
        await().atMost(SOON).until(() -> leads(follower));
        leader.resume();
        await().atMost(SOON).until(() -> said(leader, AdapterProcess.LEADS_NO_MORE));
        assertThat(said(follower, AdapterProcess.LEADS_NO_MORE)).isFalse();
    }

    /** Spreads the parts of many groups over the processes: each group is complete once. */
    private void aggregate() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
        connections.afterPropertiesSet();
        connections.start();
        try {
            ListOperations<String, String> lists = new StringRedisTemplate(connections).opsForList();
            for (int part = 0; part < AdapterProcess.GROUP_SIZE; part++) {
                for (int group = 0; group < GROUPS; group++) {
                    lists.rightPush(AdapterProcess.PARTS, "group-" + group + " " + group + "/" + part);
                }
            }
            await().atMost(SOON).until(() -> lists.size(AdapterProcess.GROUPS) >= GROUPS);
            assertThat(lists.range(AdapterProcess.GROUPS, 0, -1))
                    .map(AdaptersInProcessesTests::sorted)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, GROUPS)
                            .mapToObj(AdaptersInProcessesTests::completeGroup)
                            .toList());
        } finally {
            connections.destroy();
        }
    }

    private static List<String> completeGroup(int group) {
        return IntStream.range(0, AdapterProcess.GROUP_SIZE)
                .mapToObj(part -> group + "/" + part)
                .toList();
    }

    private static List<String> sorted(String group) {
        return Arrays.stream(group.substring(1, group.length() - 1).split(", "))
                .sorted()
                .toList();
    }

    private String[] arguments(String... store) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.web-application-type=none",
                "--spring.main.banner-mode=off",
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port(),
                "--lock.namespace=" + UUID.randomUUID(),
                "--lock.defaults.ttl=4s",
                "--lock.lockers.jobs.wait-time=0s",
                "--lock.lockers.integration.wait-time=10s",
                "--lock.shedlock.locker=jobs",
                "--lock.integration.locker=integration"));
        arguments.addAll(List.of(store));
        return arguments.toArray(String[]::new);
    }

    private ServerProcess start(String name, String... arguments) {
        return processes.start(name, AdapterProcess.class, List.of(arguments));
    }

    private boolean leads(ServerProcess process) {
        return said(process, AdapterProcess.LEADS);
    }

    private boolean runsTheJob(ServerProcess process) {
        return said(process, AdapterProcess.RUNS_THE_JOB);
    }

    private boolean said(ServerProcess process, String event) {
        return JvmProcesses.line(process, event::equals).isPresent();
    }
}
