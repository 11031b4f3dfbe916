package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Role;
import io.leasehold.benchmarks.load.ClosedLoop;
import io.leasehold.benchmarks.load.LoopOutcome;
import io.leasehold.benchmarks.load.SharedLedger;
import io.leasehold.benchmarks.process.OpenClient;
import io.leasehold.benchmarks.process.TaskFailedException;
import io.leasehold.benchmarks.process.Workers;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.store.Store;
import io.leasehold.benchmarks.store.StoreWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Measures callers in a loop. All contestants are open in the same processes. Each round measures each contestant once,
 * in an order that rotates from round to round, so a disturbance of the machine affects all contestants.
 */
final class LoopRounds implements AutoCloseable {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final String row;

    private final LoopShape shape;

    private final List<? extends Contestant> contestants;

    private final Store store;

    private final Effort effort;

    private final Report report;

    private final Workers workers;

    private final @Nullable String ledger;

    private final Map<Contestant, Double> shareSent = new LinkedHashMap<>();

    private final List<LoopRound> done = new ArrayList<>();

    private final List<String> leftOut = new ArrayList<>();

    LoopRounds(
            String row,
            LoopShape shape,
            List<? extends Contestant> contestants,
            Store store,
            Effort effort,
            Report report) {
        this.row = row;
        this.shape = shape;
        this.contestants = contestants;
        this.store = store;
        this.effort = effort;
        this.report = report;
        this.workers = new Workers(shape.processes());
        this.ledger = shape.contended() ? SharedLedger.create() : null;
    }

    /** Measures with one of the servers. The rounds of all servers are numbered consecutively. */
    void run(int server) {
        List<Contestant> ready = warm();
        int last = server * effort.rounds();
        for (int round = last - effort.rounds() + 1; round <= last; round++) {
            report.progress(row + ": round " + round + " of " + last);
            for (Contestant contestant : List.copyOf(ready)) {
                if (!measured(contestant, round)) {
                    ready.remove(contestant);
                }
            }
            Collections.rotate(ready, 1);
        }
    }

    List<LoopRound> done() {
        return done;
    }

    List<String> leftOut() {
        return leftOut;
    }

    @Override
    public void close() {
        workers.close();
    }

    /** Opens the contestants and warms them up in turn. A contestant that fails is left out. */
    private List<Contestant> warm() {
        List<Contestant> ready = new ArrayList<>(contestants);
        report.progress(row + ": warming up");
        ready.removeIf(one -> !runs(one, () -> workers.runOnEach(new OpenClient(one, store.address(), TTL))));
        WarmUp warmUp = new WarmUp(effort.warmUp(), effort.longestWarmUp());
        double compiling;
        do {
            compiling = compilingInATurn(ready);
        } while (!warmUp.isOverAfter(effort.window(), compiling));
        report.progress("%s: warm after %d s each".formatted(row, warmUp.run().toSeconds()));
        ready.removeIf(one -> !runs(one, () -> shareSent.put(one, store.shareSentDuring(() -> loop(one)))));
        return ready;
    }

    /**
     * Runs each contestant once and removes those that fail. Returns the share of the time in which the compilers of a
     * process were busy. Sections are empty in these runs, so that code that runs once in a dozen locks is executed
     * often enough to be compiled as well.
     */
    private double compilingInATurn(List<Contestant> ready) {
        AtomicLong millis = new AtomicLong();
        int running = ready.size();
        ready.removeIf(one -> !runs(
                one,
                () -> millis.addAndGet(
                        LoopOutcome.sum(loop(one, Duration.ZERO)).used().compilingMillis())));
        return (double) millis.get() / (effort.window().toMillis() * shape.processes() * Math.max(1, running));
    }

    private boolean runs(Contestant contestant, Runnable work) {
        try {
            work.run();
            return true;
        } catch (TaskFailedException ex) {
            report.progress(String.valueOf(ex.getMessage()));
            leftOut.add("Left out: " + contestant.label() + ", which did not run here: " + ex.reason());
            faultIfOurs(contestant, ex);
            return false;
        }
    }

    private boolean measured(Contestant contestant, int round) {
        try {
            done.add(measure(contestant, round));
            return true;
        } catch (TaskFailedException ex) {
            report.progress(String.valueOf(ex.getMessage()));
            leftOut.add("Given up in round " + round + ": " + contestant.label() + ", " + ex.reason());
            faultIfOurs(contestant, ex);
            return false;
        }
    }

    /** A peer may be unable to run here. This library may not. */
    private void faultIfOurs(Contestant contestant, TaskFailedException ex) {
        if (contestant.role() == Role.OURS) {
            report.fault(row + ": " + ex.reason());
        }
    }

    private LoopRound measure(Contestant contestant, int number) {
        if (ledger != null) {
            SharedLedger.open(ledger).clear();
        }
        StoreWork before = store.work();
        List<LoopOutcome> parts = loop(contestant);
        StoreWork work = store.work().since(before);
        long lost = ledger == null
                ? 0
                : LoopOutcome.sum(parts).acquisitions()
                        - SharedLedger.open(ledger).entries();
        LoopRound round =
                new LoopRound(contestant, number, effort.window(), parts, work, shareSent.get(contestant), lost);
        round.writeTo(report, row);
        if (contestant.role() == Role.OURS && !round.isSound()) {
            report.fault(row + ": " + round.unsoundness());
        }
        return round;
    }

    private List<LoopOutcome> loop(Contestant contestant) {
        Duration section = shape.section();
        return loop(contestant, section == null ? Duration.ZERO : section);
    }

    private List<LoopOutcome> loop(Contestant contestant, Duration section) {
        List<ClosedLoop> tasks = new ArrayList<>();
        for (int threads : shape.threads()) {
            tasks.add(new ClosedLoop(
                    contestant, shape.callers(), threads, shape.keys(), ledger, section, effort.window()));
        }
        return workers.run(tasks);
    }
}
