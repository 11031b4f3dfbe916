package io.leasehold.contract.broken;

import io.leasehold.spi.LockId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The names of the locks in a {@link BrokenStore}. */
final class BrokenNames {

    private static final int CUT = 64;

    private BrokenNames() {}

    static String of(LockId id, @Nullable Mistake mistake) {
        String encoded = id.encoded();
        if (mistake == Mistake.IGNORES_THE_NAMESPACE) {
            return encoded.substring(encoded.indexOf(':'));
        }
        if (mistake == Mistake.JOINS_NAMESPACE_AND_KEY_WITH_A_DOT) {
            return encoded.replaceFirst(":", ".");
        }
        if (mistake == Mistake.IGNORES_CASE) {
            return encoded.toLowerCase(Locale.ROOT);
        }
        if (mistake == Mistake.IGNORES_TRAILING_SPACE) {
            return encoded.stripTrailing();
        }
        if (mistake == Mistake.CUTS_LONG_KEYS) {
            return encoded.substring(0, Math.min(encoded.length(), CUT));
        }
        return encoded;
    }
}
