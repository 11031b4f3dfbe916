package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Role;
import io.leasehold.benchmarks.process.TaskFailedException;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Many locks that are held for a while. Each contestant has a process and a Redis of its own. All contestants hold
 * their locks at the same time; the figures count the processor time of each of them alone.
 *
 * @param name the row's name
 * @param locks number of locks
 * @param contestants the contestants to compare
 * @param note the contestants that are left out, and the reasons
 */
public record HeldRow(String name, int locks, List<? extends Contestant> contestants, String note) implements Row {

    private static final Duration TTL = Duration.ofSeconds(10);

    private static final Duration SAMPLE = Duration.ofSeconds(7);

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph("### %,d locks, held for %d s, with a ttl of %d s"
                .formatted(locks, effort.hold().toSeconds(), TTL.toSeconds()));
        List<Holder> holders = new ArrayList<>();
        try {
            contestants.forEach(contestant -> take(contestant, holders, report));
            report.progress(name + ": all hold");
            Map<Contestant, CompletableFuture<HeldFigures>> figures = new LinkedHashMap<>();
            for (Holder holder : holders) {
                figures.put(
                        holder.contestant(),
                        CompletableFuture.supplyAsync(
                                () -> holder.hold(SAMPLE, effort.hold()), task -> new Thread(task, "holder").start()));
            }
            MarkdownTable table = new MarkdownTable(HeldFigures.HEADERS);
            figures.forEach((contestant, future) -> add(contestant, future.join(), table, report));
            report.paragraph(table);
            report.paragraph(note);
        } finally {
            holders.forEach(Holder::close);
        }
    }

    private void take(Contestant contestant, List<Holder> holders, Report report) {
        report.progress(name + ": " + contestant.label() + " takes " + locks);
        Holder holder = new Holder(contestant, locks);
        try {
            holder.take(TTL);
            holders.add(holder);
        } catch (TaskFailedException ex) {
            holder.close();
            report.progress(String.valueOf(ex.getMessage()));
            report.paragraph("Left out: " + contestant.label() + ", which did not run here: " + ex.reason());
            if (contestant.role() == Role.OURS) {
                report.fault(name + ": " + ex.reason());
            }
        }
    }

    private void add(Contestant contestant, HeldFigures figures, MarkdownTable table, Report report) {
        figures.writeTo(report, name, contestant.label());
        table.add(figures.line(contestant.title()));
        if (contestant.role() == Role.OURS && figures.lost() > 0) {
            report.fault(name + ": " + figures.lost() + " locks were lost");
        }
    }
}
