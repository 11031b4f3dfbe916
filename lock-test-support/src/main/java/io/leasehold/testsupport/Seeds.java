package io.leasehold.testsupport;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Random generators whose runs can be repeated: each prints its seed, and the system property {@value #PROPERTY} sets it.
 */
public final class Seeds {

    /** The system property that repeats a run. */
    public static final String PROPERTY = "leasehold.seed";

    private Seeds() {}

    /**
     * A generator with a new seed, or with that of the run to be repeated.
     *
     * @param what whose generator it is, for the line that is printed
     * @return the generator
     */
    public static Random random(String what) {
        return new Random(next(what));
    }

    /**
     * A new seed, or that of the run to be repeated, for tests that report it.
     *
     * @param what whose seed it is, for the line that is printed
     * @return the seed
     */
    public static long next(String what) {
        Long given = Long.getLong(PROPERTY);
        long seed = given != null ? given : ThreadLocalRandom.current().nextLong();
        announce("seed of " + what + ": " + seed + " (repeat with -D" + PROPERTY + "=" + seed + ")");
        return seed;
    }

    private static void announce(String line) {
        System.out.println(line);
    }
}
