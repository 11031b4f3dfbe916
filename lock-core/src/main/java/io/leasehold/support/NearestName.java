package io.leasehold.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the intended name for a mistyped one, by the edit distance of Levenshtein (1966). */
public final class NearestName {

    private NearestName() {}

    /** The name that differs in the fewest letters, if that is less than half of them. */
    public static Optional<String> of(String mistyped, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(mistyped, name)))
                .filter(name -> distance(mistyped, name) * 2 < Math.max(mistyped.length(), name.length()));
    }

    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
