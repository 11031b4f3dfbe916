package io.leasehold.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockMetricsAutoConfiguration;
import io.leasehold.metrics.MicrometerLockListener;
import io.leasehold.test.TestLocks;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the rules against the meters of an application. */
class OperationsFilesTests {

    private static final Path DIRECTORY = Path.of("..", "docs", "operations");

    private static final Pattern METRIC = Pattern.compile("\\b(lock_[a-z_]+)(\\{[^}]*})?");

    private static final Pattern GROUPING = Pattern.compile("by \\(([a-z, ]+)\\)");

    /** The labels that Prometheus adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void everyMeterAndLabelOfTheRulesExists() throws IOException {
        assertThatAllExist(rules().stream().map(AlertRule::expression).toList());
    }

    @Test
    void everyMeterAndLabelOfTheDashboardExists() throws IOException {
        String dashboard = Files.readString(DIRECTORY.resolve("dashboard.json"));
        List<String> expressions =
                new ArrayList<>(JsonPath.<List<String>>read(dashboard, "$.panels[*].targets[*].expr"));
        assertThat(expressions).hasSizeGreaterThan(10);
        expressions.addAll(JsonPath.<List<String>>read(dashboard, "$.templating.list[*].definition"));
        assertThatAllExist(expressions);
    }

    @Test
    void aMeterThatDoesNotExistIsNoticed() {
        Set<String> missing = missing(List.of(
                "lock_mislaid_total > 0",
                "lock_held{room=\"a\"} > 0",
                "lock_renew_total{outcome=\"failed\"} > 0",
                "sum by (floor) (lock_held)"));
        assertThat(missing)
                .containsExactly("floor", "lock_held: room", "lock_mislaid_total", "lock_renew_total: outcome");
    }

    @ParameterizedTest
    @MethodSource("rules")
    void eachRuleFiresInItsStateAlone(AlertRule rule) throws IOException {
        State state = new State(locks);
        Scrape before = state.scrape();
        state.quiet();
        FIRING.getOrDefault(rule.name(), unknown -> {}).accept(state);
        Scrape now = state.scrape();
        assertThat(rules()).filteredOn(each -> each.fires(before, now)).containsExactly(rule);
    }

    @Test
    void noRuleFiresInAQuietState() throws IOException {
        State state = new State(locks);
        Scrape before = state.scrape();
        state.quiet();
        Scrape now = state.scrape();
        assertThat(rules()).hasSize(FIRING.size()).noneMatch(rule -> rule.fires(before, now));
    }

    /** Prometheus itself runs them; here no rule may be missing. */
    @Test
    void theTestsForPrometheusHaveEachRuleInEachState() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file =
                new Yaml().load(Files.readString(DIRECTORY.resolve("alerts-test.yaml")));
        Object[] names = rules().stream().map(AlertRule::name).toArray();
        assertThat(file.get("tests"))
                .hasSize(2)
                .allSatisfy(state -> assertThat(state.get("alert_rule_test"))
                        .extracting(rule -> rule.get("alertname"))
                        .containsExactly(names));
    }

    @Test
    void noRuleWaitsUntilItIsTooLate() throws IOException {
        assertThat(rules()).allMatch(AlertRule::firesInTime);
    }

    @Test
    void eachRuleIsExplained() throws IOException {
        String page = Files.readString(DIRECTORY.resolve("alerts.md"));
        List<String> explained = page.lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
        assertThat(explained)
                .containsExactlyElementsOf(rules().stream().map(AlertRule::name).toList());
        assertThat(Arrays.stream(page.split("(?m)^## ")).skip(1))
                .allSatisfy(section -> assertThat(section).contains("**Meaning.**", "**Look first.**", "**Do.**"));
    }

    private static final Map<String, Consumer<State>> FIRING = Map.of(
            "LockLost", state -> state.listener.lost(state.handle, LossReason.EXPIRED, Duration.ofSeconds(1)),
            "LockNearExpiry", state -> state.locks.advance(Duration.ofSeconds(23)),
            "LockRenewalsFail", state -> repeat(4, () -> state.listener.renewed(state.handle, RenewOutcome.FAILURE)),
            "LockAcquisitionsFail", state -> repeat(4, () -> state.ended(AcquireOutcome.ERROR)),
            "LockTimeouts", state -> repeat(20, () -> state.ended(AcquireOutcome.TIMEOUT)),
            "LockHeldTooLong", state -> state.set(Duration.ofSeconds(901), Duration.ZERO, 0, 0),
            "LockWaitTooLong", state -> state.set(Duration.ZERO, Duration.ofSeconds(61), 1, 0),
            "LockQueueGrows", state -> state.set(Duration.ZERO, Duration.ZERO, 101, 0),
            "LockRemovalsPending", state -> state.set(Duration.ZERO, Duration.ZERO, 0, 21));

    private static void repeat(int times, Runnable action) {
        for (int i = 0; i < times; i++) {
            action.run();
        }
    }

    static List<AlertRule> rules() throws IOException {
        Map<String, List<Map<String, List<Map<String, String>>>>> file =
                new Yaml().load(Files.readString(DIRECTORY.resolve("alerts.yaml")));
        return file.get("groups").get(0).get("rules").stream()
                .map(rule -> new AlertRule(
                        rule.get("alert"),
                        rule.get("expr"),
                        DurationStyle.detectAndParse(rule.getOrDefault("for", "0s"))))
                .toList();
    }

    private void assertThatAllExist(List<String> expressions) {
        assertThat(missing(expressions)).isEmpty();
    }

    /** The meters and labels of the expressions that an application does not have. */
    private Set<String> missing(List<String> expressions) {
        AtomicReference<Scrape> scraped = new AtomicReference<>();
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LockMetricsAutoConfiguration.class))
                .withBean(PrometheusMeterRegistry.class, () -> meters)
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s")
                .run(context -> {
                    context.getBean("deployLocker", Locker.class).lock("key").close();
                    scraped.set(Scrape.of(meters.scrape()));
                });
        Set<String> missing = new TreeSet<>();
        expressions.forEach(expression -> addMissing(expression, scraped.get(), missing));
        return missing;
    }

    private static void addMissing(String expression, Scrape scrape, Set<String> missing) {
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            String name = metric.group(1);
            List<Scrape.Sample> samples = scrape.select(name, Map.of()).toList();
            if (samples.isEmpty()) {
                missing.add(name);
                continue;
            }
            Scrape.labels(metric.group(2) == null ? "" : metric.group(2).replace("=~", "="))
                    .forEach((label, value) -> {
                        if (!OF_PROMETHEUS.contains(label) && samples.stream().noneMatch(has(label, value))) {
                            missing.add(name + ": " + label);
                        }
                    });
        }
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            for (String label : grouping.group(1).split(", ?")) {
                if (!OF_PROMETHEUS.contains(label) && scrape.samples().stream().noneMatch(has(label, "$any"))) {
                    missing.add(label);
                }
            }
        }
    }

    private static Predicate<Scrape.Sample> has(String label, String value) {
        return sample -> value.startsWith("$")
                ? sample.labels().containsKey(label)
                : value.equals(sample.labels().get(label));
    }

    private record Attempt(String locker, String key) implements LockAttempt {}

    /** An application with one locker, whose meters a test sets. */
    private static final class State implements LockerRegistry {

        private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

        private final MicrometerLockListener listener = new MicrometerLockListener(meters, this);

        private final TestLocks locks;

        private final LockHandle handle;

        private LockerStatus status;

        State(TestLocks locks) {
            this.locks = locks;
            this.handle = locks.locker("deploy").lock(LockRequest.of("key").withAutoRenew(false));
            this.status = LockerStatus.idle("deploy", "redis");
            listener.register("deploy");
        }

        /** Locks in use, with the few failures that are normal. */
        void quiet() {
            ended(AcquireOutcome.ACQUIRED);
            ended(AcquireOutcome.TIMEOUT);
            ended(AcquireOutcome.ERROR);
            ended(AcquireOutcome.ERROR);
            listener.renewed(handle, RenewOutcome.SUCCESS);
            listener.renewed(handle, RenewOutcome.FAILURE);
            listener.renewed(handle, RenewOutcome.FAILURE);
            listener.released(handle, Duration.ofSeconds(2));
            set(Duration.ofSeconds(300), Duration.ofSeconds(9), 10, 2);
        }

        void ended(AcquireOutcome outcome) {
            listener.acquireEnded(new Attempt("deploy", "key"), outcome, Duration.ofMillis(20));
        }

        void set(Duration oldest, Duration longest, int waiting, int removals) {
            status = new LockerStatus(
                    "deploy",
                    "redis",
                    List.of(new LockerStatus.Hold(handle, oldest, 1, null)),
                    List.of(new LockerStatus.Waiter("key", longest, 1, null)),
                    waiting,
                    removals,
                    null);
        }

        Scrape scrape() {
            return Scrape.of(meters.scrape());
        }

        @Override
        public Locker get(String name) {
            throw new AssertionError("meters need no locker");
        }

        @Override
        public Set<String> names() {
            return Set.of("deploy");
        }

        @Override
        public LockerStatus status(String name) {
            return status;
        }
    }
}
