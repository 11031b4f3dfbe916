package io.leasehold.simulation;

import io.leasehold.simulation.HistorySearch.Finding;
import io.leasehold.testsupport.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Removes the elements that a failing history does not need, and prints the rest. */
final class Shrinker {

    /** The system property with the elements that a replay removes. */
    static final String WITHOUT = "leasehold.without";

    private static final int MOST_LINES = 400;

    private Shrinker() {}

    /** Returns the report on a finding. */
    static String report(Finding finding, Stores stores) {
        try (Strands strands = new Strands()) {
            Set<String> leftOut = shrink(finding.plan(), stores, strands);
            return replay(finding.plan(), leftOut, stores, strands);
        }
    }

    /** Returns the history of a plan without some of its elements, as lines of text. */
    static String replay(Plan plan, Set<String> leftOut, Stores stores, Strands strands) {
        History history = new History(true);
        Plan smaller = plan.without(leftOut);
        String violation = HistoryRun.run(smaller, stores, strands, history);
        List<String> report = new ArrayList<>();
        report.add(violation == null ? "nothing was violated" : violation);
        report.add("replay with -D" + Seeds.PROPERTY + "=" + plan.seed() + " and without what it does not need with -D"
                + WITHOUT + "=" + String.join(",", leftOut));
        report.add("store " + smaller.store() + ", ttl " + smaller.ttl() + ", one way " + smaller.latency() / 1_000
                + " us" + (smaller.calm() ? ", calm" : ""));
        smaller.processes().forEach(one -> report.add(one.toString()));
        smaller.callers().forEach(one -> report.add(one.toString()));
        smaller.shutdowns().forEach(one -> report.add(one.toString()));
        smaller.revocations().forEach(one -> report.add(one.toString()));
        smaller.faults().forEach(one -> report.add(one.toString()));
        List<String> lines = history.lines();
        int skipped = Math.max(0, lines.size() - MOST_LINES);
        if (skipped > 0) {
            report.add("... " + skipped + " lines before");
        }
        report.addAll(lines.subList(skipped, lines.size()));
        return String.join(System.lineSeparator(), report);
    }

    /** Returns the elements to leave out. The history needs every remaining element. */
    private static Set<String> shrink(Plan plan, Stores stores, Strands strands) {
        Set<String> leftOut = new LinkedHashSet<>();
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (String element : plan.elements()) {
                if (leftOut.add(element)) {
                    boolean stillFails =
                            HistoryRun.run(plan.without(leftOut), stores, strands, new History(false)) != null;
                    smaller |= stillFails;
                    if (!stillFails) {
                        leftOut.remove(element);
                    }
                }
            }
        }
        return leftOut;
    }
}
