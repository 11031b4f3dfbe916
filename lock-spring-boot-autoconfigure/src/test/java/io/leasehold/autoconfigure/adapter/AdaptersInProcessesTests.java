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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Spring Integration and ShedLock in three processes, of which one is killed and one is paused for longer than the ttl.
 */
@Tag("slow")
@Timeout(300)
class AdaptersInProcessesTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final int GROUPS = 20;

    /** What {@link #sorted} makes of a group without parts. */
    private static final List<String> EMPTY = List.of("");

    private final RedisServer redis = RedisServer.start();

    private final JvmProcesses processes = new JvmProcesses();

    private int round;

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

    @Test
    void groupsOnRedis() {
        completeGroups("--lock.backend=redis");
    }

    @Test
    void groupsOnPostgres() {
        completeGroups(
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
        send();
        awaitGroups(GROUPS);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(completeGroups());
    }

    /**
     * One process stops while it completes a group. If it is killed there, each group is completed once. If it is paused
     * there for longer than the ttl, another process completes the group. When the paused one continues, it sends what
     * the store then has of the group, which is nothing, and learns of the loss. No part is lost, because the parts that
     * the process has taken are delivered again.
     */
    private void completeGroups(String... store) {
        String[] arguments = arguments(store);
        Map<String, ServerProcess> running = new HashMap<>();
        Stream.of("first", "second", "third").forEach(name -> running.put(name, start(name, arguments)));
        running.values().forEach(process -> await().atMost(SOON).until(() -> said(process, AdapterProcess.READY)));

        String killed = stopOneAtAGroup(running);
        Objects.requireNonNull(running.remove(killed)).kill();
        redeliver(killed);
        awaitGroups(GROUPS);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(completeGroups());

        redis(template -> template.delete(AdapterProcess.GROUPS));
        running.put("fourth", start("fourth", arguments));
        await().atMost(SOON).until(() -> said(running.get("fourth"), AdapterProcess.READY));
        // the groups of before are complete: their parts would be discarded
        round++;
        String paused = stopOneAtAGroup(running);
        running.get(paused).pause();
        redeliver(paused);
        awaitGroups(GROUPS);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(completeGroups());

        running.get(paused).resume();
        redis(template -> template.opsForList().leftPush(AdapterProcess.GO_ON, "now"));
        await().atMost(SOON).until(() -> said(running.get(paused), AdapterProcess.LOST_A_LOCK));
        awaitGroups(GROUPS + 1);
        List<List<String>> again = new ArrayList<>(completeGroups());
        again.add(EMPTY);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(again);
    }

    /** Returns the name of the process that has stopped. */
    private String stopOneAtAGroup(Map<String, ServerProcess> running) {
        redis(template -> {
            template.opsForValue().set(AdapterProcess.STOP, "now");
            return null;
        });
        send();
        return await().atMost(SOON)
                .until(
                        () -> running.entrySet().stream()
                                .filter(process -> said(process.getValue(), AdapterProcess.STOPS))
                                .map(Map.Entry::getKey)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private void redeliver(String process) {
        redis(template ->
                template.opsForList().rightPopAndLeftPush(AdapterProcess.TAKEN_BY + process, AdapterProcess.PARTS));
    }

    private void send() {
        redis(template -> {
            for (int part = 0; part < AdapterProcess.GROUP_SIZE; part++) {
                for (int group = 0; group < GROUPS; group++) {
                    template.opsForList()
                            .leftPush(
                                    AdapterProcess.PARTS,
                                    "round-" + round + "-group-" + group + " " + group + "/" + part);
                }
            }
            return null;
        });
    }

    /** Waits until all parts are handled and at least so many groups are sent. */
    private void awaitGroups(int count) {
        redis(template -> await().atMost(SOON)
                .until(
                        () -> template.opsForList().size(AdapterProcess.GROUPS) >= count
                                && template.keys(AdapterProcess.TAKEN_BY + "*").isEmpty()
                                && template.opsForList().size(AdapterProcess.PARTS) == 0,
                        done -> done));
    }

    private List<List<String>> groups() {
        return redis(template -> template.opsForList().range(AdapterProcess.GROUPS, 0, -1)).stream()
                .map(AdaptersInProcessesTests::sorted)
                .toList();
    }

    private <T> T redis(Function<StringRedisTemplate, T> commands) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
        connections.afterPropertiesSet();
        connections.start();
        try {
            return commands.apply(new StringRedisTemplate(connections));
        } finally {
            connections.destroy();
        }
    }

    private static List<List<String>> completeGroups() {
        return IntStream.range(0, GROUPS)
                .mapToObj(AdaptersInProcessesTests::completeGroup)
                .toList();
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
        List<String> ofProcess = new ArrayList<>(List.of("--process=" + name));
        ofProcess.addAll(List.of(arguments));
        return processes.start(name, AdapterProcess.class, ofProcess);
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
