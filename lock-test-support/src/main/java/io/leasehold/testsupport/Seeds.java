package io.leasehold.testsupport;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Random generators whose runs are repeatable. Each generator prints its seed, and the system property
 * {@value #PROPERTY} sets it.
 */
public final class Seeds {

    /** The system property with the seed of the run to repeat. */
    public static final String PROPERTY = "leasehold.seed";

    private Seeds() {}

    /**
     * Returns a generator with a new seed, or with the seed of the run to repeat.
     *
     * @param what the name of the generator in the printed line
     */
    public static Random random(String what) {
        return new Random(next(what));
    }

    /**
     * Returns a new seed, or the seed of the run to repeat, for tests that report it.
     *
     * @param what the name of the seed in the printed line
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
