package io.leasehold.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A table, line by line. */
public final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();

    private final int columns;

    /**
     * Begins a table.
     *
     * @param headers one for each column
     */
    public MarkdownTable(List<String> headers) {
        columns = headers.size();
        add(headers);
        lines.add("|---".repeat(columns) + "|");
    }

    /**
     * Adds a line.
     *
     * @param cells one for each column
     */
    public void add(List<String> cells) {
        if (cells.size() != columns) {
            throw new IllegalArgumentException("'cells' must be " + columns + ": " + cells);
        }
        lines.add("| " + String.join(" | ", cells) + " |");
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
