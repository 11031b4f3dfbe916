package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.load.LoopOutcome;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.store.StoreWork;
import java.time.Duration;
import java.util.List;

/**
 * The result of one contestant in one round.
 *
 * @param contestant the measured contestant
 * @param number the number of the round
 * @param window how long the callers began new acquisitions
 * @param parts the result of the callers of each process
 * @param outcome the result of all callers
 * @param work the work of the store
 * @param shareSent the share of the store's commands that clients sent
 * @param lost how many entries the counter under the lock is missing
 */
record LoopRound(
        Contestant contestant,
        int number,
        Duration window,
        List<LoopOutcome> parts,
        LoopOutcome outcome,
        StoreWork work,
        double shareSent,
        long lost) {

    LoopRound(
            Contestant contestant,
            int number,
            Duration window,
            List<LoopOutcome> parts,
            StoreWork work,
            double shareSent,
            long lost) {
        this(contestant, number, window, parts, LoopOutcome.sum(parts), work, shareSent, lost);
    }

    double perSecond() {
        return outcome.inWindow() * 1e9 / window.toNanos();
    }

    double commandsSent() {
        return work.commands() * shareSent / outcome.acquisitions();
    }

    double commandsScripted() {
        return work.commands() * (1 - shareSent) / outcome.acquisitions();
    }

    /** Not a number unless there is exactly one caller, because requests of several callers share round trips. */
    double roundTrips() {
        return perCaller() ? work.roundTrips() / outcome.acquisitions() : Double.NaN;
    }

    private boolean perCaller() {
        return outcome.perCaller().length == 1;
    }

    double storeCpuMicros() {
        return work.cpuSeconds() * 1e6 / outcome.acquisitions();
    }

    double cpuMicros() {
        return outcome.used().cpuNanos() / 1e3 / outcome.acquisitions();
    }

    /** Not a number if threads have ended in the meantime, because the JVM no longer counts their allocations. */
    double bytes() {
        long bytes = outcome.used().allocatedBytes();
        return bytes < 0 ? Double.NaN : (double) bytes / outcome.acquisitions();
    }

    boolean isSound() {
        return lost == 0 && outcome.errors() == 0;
    }

    String unsoundness() {
        return "%s lost %d entries of the counter under the lock; %d errors, such as %s"
                .formatted(contestant.label(), lost, outcome.errors(), outcome.firstError());
    }

    void writeTo(Report report, String row) {
        raw(report, row, "per_second", perSecond());
        raw(report, row, "acquisitions", outcome.acquisitions());
        raw(report, row, "wait_p50_ns", outcome.waits().quantile(0.5));
        raw(report, row, "wait_p99_ns", outcome.waits().quantile(0.99));
        raw(report, row, "wait_max_ns", outcome.waits().max());
        raw(report, row, "gap_p50_ns", outcome.gaps().quantile(0.5));
        raw(report, row, "luckiest_to_unluckiest", outcome.luck());
        raw(report, row, "commands_sent", commandsSent());
        raw(report, row, "commands_scripted", commandsScripted());
        raw(report, row, "round_trips", roundTrips());
        raw(report, row, "jvm_cpu_us", cpuMicros());
        raw(report, row, "store_cpu_us", storeCpuMicros());
        raw(report, row, "allocated_bytes", bytes());
        raw(report, row, "errors", outcome.errors());
        raw(report, row, "lost_entries", lost);
    }

    private void raw(Report report, String row, String figure, double value) {
        report.raw(row, contestant.label(), number, figure, value);
    }
}
