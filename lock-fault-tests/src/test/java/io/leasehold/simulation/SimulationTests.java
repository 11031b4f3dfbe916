package io.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.leasehold.simulation.HistorySearch.Finding;
import io.leasehold.simulation.Plan.StoreKind;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of histories without a finding of an oracle. The package documentation describes how to replay one. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SimulationTests {

    private static final int HISTORIES = 20_000;

    private final QuietLog quiet = new QuietLog("io.leasehold");

    @AfterEach
    void speak() {
        quiet.close();
    }

    @Test
    void noHistoryViolatesAnything() throws InterruptedException, ExecutionException {
        if (Long.getLong(Seeds.PROPERTY) != null && Long.getLong("leasehold.histories") == null) {
            replay(Long.getLong(Seeds.PROPERTY));
        } else {
            long histories = Long.getLong("leasehold.histories", HISTORIES);
            assertThat(search(histories, TimeUnit.HOURS.toNanos(1))).isGreaterThanOrEqualTo(histories);
        }
    }

    @Test
    void aSeedIsAHistory() {
        for (long seed = 0; seed < 50; seed++) {
            assertThat(lines(seed)).as("seed " + seed).isEqualTo(lines(seed));
        }
    }

    @Test
    void everyStoreIsSimulated() {
        Set<StoreKind> kinds = LongStream.range(0, 100)
                .mapToObj(seed -> Planner.plan(seed).store())
                .collect(Collectors.toSet());
        assertThat(kinds).containsExactlyInAnyOrder(StoreKind.values());
    }

    @Test
    @Tag("soak")
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void noHistoryViolatesAnythingForALongTime() throws InterruptedException, ExecutionException {
        search(Long.MAX_VALUE, TimeUnit.MINUTES.toNanos(Long.getLong("leasehold.minutes", 10)));
    }

    /** Returns the number of histories. */
    private static long search(long most, long nanos) throws InterruptedException, ExecutionException {
        HistorySearch search = new HistorySearch(Seeds.next("the simulation"), Stores.MODELS);
        long begin = System.nanoTime();
        Finding finding = search.runInParallel(most, nanos);
        if (finding != null) {
            fail(Shrinker.report(finding, Stores.MODELS));
        }
        System.out.println(search.count() + " histories in " + (System.nanoTime() - begin) / 1_000_000 + " ms");
        return search.count();
    }

    private static void replay(long seed) {
        String without = System.getProperty(Shrinker.WITHOUT, "");
        try (Strands strands = new Strands()) {
            Set<String> leftOut = Arrays.stream(without.split(","))
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toSet());
            String report = Shrinker.replay(Planner.plan(seed), leftOut, Stores.MODELS, strands);
            System.out.println(report);
            assertThat(report).startsWith("nothing was violated");
        }
    }

    private static List<String> lines(long seed) {
        History history = new History(true);
        try (Strands strands = new Strands()) {
            HistoryRun.run(Planner.plan(seed), Stores.MODELS, strands, history);
        }
        return history.lines();
    }
}
