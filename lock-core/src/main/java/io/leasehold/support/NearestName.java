package io.leasehold.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the intended name for a mistyped one, by the edit distance of Damerau (1964). */
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
        int[][] distances = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distances[i][j] = i == 0 || j == 0 ? i + j : least(a, b, i, j, distances);
            }
        }
        return distances[a.length()][b.length()];
    }

    private static int least(String a, String b, int i, int j, int[][] distances) {
        boolean isSame = a.charAt(i - 1) == b.charAt(j - 1);
        int replaced = distances[i - 1][j - 1] + (isSame ? 0 : 1);
        int least = Math.min(replaced, Math.min(distances[i - 1][j], distances[i][j - 1]) + 1);
        boolean isSwapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwapped ? Math.min(least, distances[i - 2][j - 2] + 1) : least;
    }
}
