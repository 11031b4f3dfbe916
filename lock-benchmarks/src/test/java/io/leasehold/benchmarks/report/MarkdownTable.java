package io.leasehold.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table. */
public final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();

    private final int columns;

    /**
     * Creates a table.
     *
     * @param headers one header for each column
     */
    public MarkdownTable(List<String> headers) {
        columns = headers.size();
        add(headers);
        lines.add("|---".repeat(columns) + "|");
    }

    /**
     * Adds a line.
     *
     * @param cells one cell for each column
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
