package io.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The events of a history as lines of text. Lines are kept only if the history is shown. */
final class History {

    /** Hash codes of objects, which are different in each run. */
    private static final Pattern IDENTITY = Pattern.compile("(?<=\\w)@[0-9a-f]+");

    private final List<String> lines = new ArrayList<>();

    private final boolean kept;

    History(boolean kept) {
        this.kept = kept;
    }

    boolean isKept() {
        return kept;
    }

    /** Adds a line. The line is formatted only if it is kept. */
    void add(long now, Object who, Object... what) {
        if (kept) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%12.4f ms  %-12s ", now / 1e6, who));
            for (Object part : what) {
                line.append(part instanceof Supplier<?> lazy ? lazy.get() : part);
            }
            lines.add(IDENTITY.matcher(line).replaceAll(""));
        }
    }

    List<String> lines() {
        return lines;
    }
}
