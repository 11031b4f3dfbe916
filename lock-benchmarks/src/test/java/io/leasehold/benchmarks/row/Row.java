package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Report;

/** One table of the report. */
public interface Row {

    /** The name in {@code --only} and in the CSV file. */
    String name();

    /**
     * Measures the row and writes the table.
     *
     * @param effort number and length of the rounds
     * @param report receives the table
     */
    void run(Effort effort, Report report);
}
