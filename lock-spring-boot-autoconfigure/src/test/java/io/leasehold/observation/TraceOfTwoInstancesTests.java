package io.leasehold.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.test.TestLocks;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two instances that want one lock, as a trace. The page has the text of this run. */
class TraceOfTwoInstancesTests {

    private static final Path PAGE = Path.of("..", "docs", "operations", "trace.md");

    private static final long FIRST_TOKEN_OF_THE_PAGE = 1_767_225_600_000_000_000L;

    private static final Pattern TOKEN = Pattern.compile("(?<=fencing\\.token=)\\d+");

    private final List<Span> roots = new ArrayList<>();

    private int now;

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    @Test
    void thePageHasTheTraceOfThisRun() throws IOException {
        Instance a = new Instance("a");
        Instance b = new Instance("b");

        Call first = a.call("POST /orders/7", Duration.ofSeconds(5));
        Call second = a.call("POST /orders/7", Duration.ofSeconds(5));
        Call third = b.call("invoice job", Duration.ofSeconds(5));
        Call fourth = b.call("GET /orders/7/invoice", Duration.ofMillis(100));
        pass(12);
        first.end();
        pass(140);
        fourth.end();
        second.end();
        pass(60);
        assertThat(third.granted()).isPresent();
        pass(40);
        locks.lose("order-7");
        pass(5);
        third.end();

        StringBuilder trace = new StringBuilder();
        roots.forEach(root -> root.print(0, trace));
        assertThat(Files.readString(PAGE)).contains("```\n" + withTokensOfThePage(trace) + "```\n");
    }

    /** The clock of each test begins after that of the one before, and fencing tokens are its time. */
    private static String withTokensOfThePage(CharSequence trace) {
        long[] first = new long[1];
        return TOKEN.matcher(trace).replaceAll(found -> {
            long token = Long.parseLong(found.group());
            first[0] = first[0] == 0 ? token : first[0];
            return Long.toString(FIRST_TOKEN_OF_THE_PAGE + token - first[0]);
        });
    }

    private void pass(int millis) {
        for (int i = 0; i < millis; i++) {
            now++;
            locks.advance(Duration.ofMillis(1));
        }
    }

    /** One process. */
    private final class Instance implements ObservationHandler<Observation.Context>, LockerRegistry {

        private final String name;

        private final Map<Observation.ContextView, Span> spans = new LinkedHashMap<>();

        private final ObservationRegistry registry = ObservationRegistry.create();

        private final Locker locker;

        Instance(String name) {
            this.name = name;
            registry.observationConfig().observationHandler(this);
            LockEngine engine = locks.engine(new ObservationLockListener(registry, this, true));
            this.locker = engine.locker(LockerSettings.of("orders"), "redis", locks.backend());
        }

        Call call(String request, Duration waitTime) {
            Observation observation =
                    Observation.createNotStarted("call", registry).contextualName(request);
            observation.start();
            Observation.Scope scope = observation.openScope();
            CompletableFuture<Optional<LockHandle>> lock = locker.tryLockAsync(
                            LockRequest.of("order-7").withWaitTime(waitTime))
                    .toCompletableFuture();
            scope.close();
            return new Call(observation, lock);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            Span span = new Span(name, context, now);
            spans.put(context, span);
            Span parent = context.getParentObservation() == null
                    ? null
                    : spans.get(context.getParentObservation().getContextView());
            (parent == null ? roots : parent.children).add(span);
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            span(context).events.add(event.getContextualName() + " at " + now + " ms");
        }

        @Override
        public void onStop(Observation.Context context) {
            span(context).end = now;
        }

        private Span span(Observation.Context context) {
            return Objects.requireNonNull(spans.get(context));
        }

        @Override
        public Locker get(String locker) {
            throw new AssertionError("observations need no locker");
        }

        @Override
        public Set<String> names() {
            return Set.of("orders");
        }

        @Override
        public LockerStatus status(String locker) {
            return LockerStatus.idle(locker, "redis");
        }
    }

    /** A request that wants the lock. */
    private record Call(Observation observation, CompletableFuture<Optional<LockHandle>> lock) {

        Optional<LockHandle> granted() {
            return lock.getNow(Optional.empty());
        }

        void end() {
            granted().ifPresent(LockHandle::close);
            observation.stop();
        }
    }

    private static final class Span {

        private final String instance;

        private final Observation.Context context;

        private final int start;

        private final List<Span> children = new ArrayList<>();

        private final List<String> events = new ArrayList<>();

        private @Nullable Integer end;

        Span(String instance, Observation.Context context, int start) {
            this.instance = instance;
            this.context = context;
            this.start = start;
        }

        void print(int depth, StringBuilder text) {
            String values = context.getAllKeyValues().stream()
                    .filter(value -> !Set.of("locker", "backend").contains(value.getKey()))
                    .sorted(Comparator.comparing(KeyValue::getKey).reversed())
                    .map(value -> value.getKey() + "=" + value.getValue())
                    .collect(Collectors.joining(" "));
            String line = String.format(
                    "%s %-28s %4d ms to %4d ms  %s",
                    instance, "  ".repeat(depth) + context.getContextualName(), start, end, values);
            text.append(line.stripTrailing()).append('\n');
            events.forEach(event -> text.append("  ")
                    .append("  ".repeat(depth + 1))
                    .append("! ")
                    .append(event)
                    .append('\n'));
            children.forEach(child -> child.print(depth + 1, text));
        }
    }
}
