package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Report;

/** One table of the report. */
public interface Row {

    /** What it is called in {@code --only} and in the CSV file. */
    String name();

    /**
     * Measures, and writes the table.
     *
     * @param effort how often and how long
     * @param report where to write
     */
    void run(Effort effort, Report report);
}
