package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.util.StringUtils;

/** What is done about what an inspection finds. */
@ExtendWith(OutputCaptureExtension.class)
class LockSafetyTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final String TELLS = "Locks in 'odd' are less safe than they could be: ";

    @Test
    void everyFindingIsToldByDefault(CapturedOutput output) {
        runner(HOUR).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain(TELLS);
            lock(context);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(output)
                                    .contains(TELLS + "node 'a', maxmemory-policy: is 'allkeys-lru'")
                                    .containsPattern(
                                            TELLS
                                                    + "clock-offset: the store's clock is (3599|3600)\\d{3} ms ahead of this machine's"));
        });
    }

    @Test
    void aClockThatIsBehindIsToldToo(CapturedOutput output) {
        runner(HOUR.negated()).run(context -> {
            lock(context);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output).containsPattern("clock is (3599|3600)\\d{3} ms behind"));
        });
    }

    @Test
    void aFindingIsToldOnce(CapturedOutput output) {
        runner(HOUR).withPropertyValues("lock.lockers.other.ttl=30s").run(context -> {
            lock(context);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output).contains(TELLS + "clock-offset"));
            context.getBean("otherLocker", Locker.class).lock("key").close();
            lock(context);
        });
        assertThat(StringUtils.countOccurrencesOf(output.toString(), TELLS + "clock-offset"))
                .isEqualTo(1);
    }

    @Test
    void aFindingIsToldOnceIfTheStoreAnswersAfterAFailedAttempt(CapturedOutput output) {
        runner(HOUR).run(context -> {
            SafetyCheck check = context.getBean(SafetyCheck.class);
            check.connectEnded("deploy", false);
            check.connectEnded("deploy", true);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> context.getBean(StoreInspection.class)
                            .begin("odd", Duration.ofSeconds(30))
                            .isDone());
        });
        assertThat(StringUtils.countOccurrencesOf(output.toString(), TELLS + "node 'a'"))
                .isEqualTo(1);
    }

    /** Such as an old version of a node whose disk is full as well. */
    @Test
    void allFindingsOfOneSubjectAreTold(CapturedOutput output) {
        SilentBackend store = new SilentBackend();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withBean("odd", LockBackend.class, () -> store)
                .withPropertyValues("lock.backend=odd", "lock.lockers.deploy.ttl=30s")
                .run(context -> {
                    SafetyCheck check = context.getBean(SafetyCheck.class);
                    check.connectEnded("deploy", false);
                    check.connectEnded("deploy", true);
                    store.clock.complete(OptionalLong.empty());
                    store.findings.complete(List.of(
                            new SafetyFinding("node 'a'", "has an old version", "Upgrade it"),
                            new SafetyFinding("node 'a'", "is full", "Enlarge it")));
                    await().atMost(Duration.ofSeconds(30))
                            .untilAsserted(() -> assertThat(output).contains(TELLS + "node 'a': is full"));
                });
        assertThat(StringUtils.countOccurrencesOf(output.toString(), TELLS + "node 'a': has an old version"))
                .isEqualTo(1);
        assertThat(StringUtils.countOccurrencesOf(output.toString(), TELLS + "node 'a': is full"))
                .isEqualTo(1);
    }

    @Test
    void theActuatorSeesTheSame() {
        runner(HOUR)
                .run(context -> assertThat(context.getBean(StoreInspection.class)
                                .probe()
                                .get("odd")
                                .toString())
                        .contains("maxmemory-policy")
                        .contains("clock-offset"));
    }

    /** A store that hangs would otherwise get all of them, with each look at the health, when it answers again. */
    @Test
    void questionsThatAreNotAnsweredInTimeAreCancelled() {
        SilentBackend silent = new SilentBackend();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withBean("silent", LockBackend.class, () -> silent)
                .withPropertyValues("lock.backend=silent", "lock.lockers.deploy.ttl=30s")
                .run(context -> {
                    assertThat(context.getBean(StoreInspection.class).begin("silent", Duration.ofMillis(1)))
                            .failsWithin(Duration.ofSeconds(30));
                    await().until(() -> silent.findings.isCancelled() && silent.clock.isCancelled());
                });
    }

    @Test
    void anOffsetThatIsToleratedIsNoFinding() {
        runner(HOUR)
                .withPropertyValues("lock.safety.clock-offset=2h")
                .run(context -> assertThat(context.getBean(StoreInspection.class)
                                .begin()
                                .get("odd")
                                .join())
                        .extracting(SafetyFinding::subject)
                        .containsExactly("node 'a', maxmemory-policy"));
    }

    @Test
    void oneFindingCanFailTheStart(CapturedOutput output) {
        FailureAnalysis analysis =
                StartFailures.of(runner(HOUR).withPropertyValues("lock.safety.levels.clock-offset=fail"));
        assertThat(analysis.getDescription()).contains("odd: clock-offset").doesNotContain("maxmemory-policy");
        assertThat(analysis.getAction()).contains("lock.safety.levels.<subject>");
        assertThat(output).contains(TELLS + "node 'a', maxmemory-policy");
    }

    @Test
    void aFindingOfANodeGoesByItsOwnName() {
        FailureAnalysis analysis =
                StartFailures.of(runner(Duration.ZERO).withPropertyValues("lock.safety.levels.maxmemory_policy=fail"));
        assertThat(analysis.getDescription()).contains("odd: node 'a', maxmemory-policy");
    }

    @Test
    void oneFindingCanBeLeftOutOfWhatFailsTheStart() {
        runner(Duration.ZERO)
                .withPropertyValues("lock.safety.level=fail", "lock.safety.levels.maxmemory-policy=off")
                .run(context -> assertThat(context).hasNotFailed());
        runner(HOUR)
                .withPropertyValues("lock.safety.level=fail", "lock.safety.levels.maxmemory-policy=off")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aNameThatOnlyAStoreOfTheApplicationKnowsIsAccepted() {
        runner(Duration.ZERO)
                .withPropertyValues("lock.safety.levels.maxmemory-polcy=fail")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"maxmemory_policy", "[node 'a']", "[table lease]", "[pg_is_in_recovery()]", "wsrepon"})
    void theNamesOfFindingsOfNodesAndOfTablesAreAccepted(String name) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.safety.levels." + name + "=off")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void lock(ApplicationContext context) {
        context.getBean("deployLocker", Locker.class).lock("key").close();
    }

    private static ApplicationContextRunner runner(Duration ahead) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withBean("odd", LockBackend.class, () -> new OddBackend(ahead))
                .withPropertyValues("lock.backend=odd", "lock.lockers.deploy.ttl=30s", "lock.safety.timeout=30s");
    }

    /** Locks in memory, and has a clock and a setting that are wrong. */
    private static final class OddBackend extends DelegatingLockBackend {

        private final Duration ahead;

        OddBackend(Duration ahead) {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
            this.ahead = ahead;
        }

        @Override
        public CompletionStage<List<SafetyFinding>> inspect() {
            return CompletableFuture.completedFuture(
                    List.of(new SafetyFinding("node 'a', maxmemory-policy", "is 'allkeys-lru'", "Change it")));
        }

        @Override
        public CompletionStage<OptionalLong> clockMillis() {
            return CompletableFuture.completedFuture(OptionalLong.of(System.currentTimeMillis() + ahead.toMillis()));
        }

        @Override
        public void close() {
            super.close();
        }
    }

    /** Locks in memory, and does not answer questions about itself. */
    private static final class SilentBackend extends DelegatingLockBackend {

        private final CompletableFuture<List<SafetyFinding>> findings = new CompletableFuture<>();

        private final CompletableFuture<OptionalLong> clock = new CompletableFuture<>();

        SilentBackend() {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
        }

        @Override
        public CompletionStage<List<SafetyFinding>> inspect() {
            return findings;
        }

        @Override
        public CompletionStage<OptionalLong> clockMillis() {
            return clock;
        }
    }
}
